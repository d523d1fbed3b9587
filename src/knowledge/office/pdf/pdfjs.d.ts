// The worker of PDF.js has no types.
declare module "pdfjs-dist/legacy/build/pdf.worker.mjs";
