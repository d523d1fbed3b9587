// The worker of PDF.js is used as a module: it comes without types, and its contents are no concern of ours.
declare module "pdfjs-dist/legacy/build/pdf.worker.mjs";
