// PDF.js refers to drawing classes when it is loaded; reading text needs none of them.
for (const name of ["DOMMatrix", "ImageData", "Path2D"])
	if (!Reflect.has(globalThis, name)) Reflect.set(globalThis, name, Object);
