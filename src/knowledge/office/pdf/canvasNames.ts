// PDF.js refers to these drawing classes when loaded, but reading text uses none of them.
for (const name of ["DOMMatrix", "ImageData", "Path2D"])
	if (!Reflect.has(globalThis, name)) Reflect.set(globalThis, name, Object);
