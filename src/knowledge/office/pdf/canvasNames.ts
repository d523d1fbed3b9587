// PDF.js names what a page is drawn with as soon as it is loaded. Text needs none of it, so that empty ones do.
for (const name of ["DOMMatrix", "ImageData", "Path2D"])
	if (!Reflect.has(globalThis, name)) Reflect.set(globalThis, name, Object);
