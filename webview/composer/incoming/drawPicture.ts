/** Draws a picture again, so that models accept its format, size in pixels and size in bytes. */
import { DRAWN, MAX_PICTURE_BYTES, type PictureFormat, SCALED_SIDE } from '../../../src/core/media/pictureFormats';

/** The most pixels of a picture that is decoded: 1 GB of memory. */
const MAX_PIXELS = 2 ** 28;
/** JPEG qualities to try, the best first. */
const QUALITIES = [0.92, 0.8, 0.6];

export interface Drawn {
  readonly blob: Blob;
  /** The new size, if it has changed. */
  readonly scaled?: { readonly width: number; readonly height: number };
  /** The new format, if it has changed. */
  readonly converted?: 'PNG' | 'JPEG';
}

/** Rejects where the browser cannot decode the picture. The result may still have too many bytes. */
export async function draw(file: Blob, { mimeType, width = 0, height = 0 }: PictureFormat): Promise<Drawn> {
  if (width * height > MAX_PIXELS) {
    throw new Error('too many pixels');
  }
  // The blob gets the detected type, because the browser trusts the type that the file claims.
  const bitmap = await createImageBitmap(new Blob([file], { type: mimeType }));
  try {
    const factor = Math.min(1, SCALED_SIDE / Math.max(bitmap.width, bitmap.height));
    const size = { width: Math.max(1, Math.round(bitmap.width * factor)), height: Math.max(1, Math.round(bitmap.height * factor)) };
    const isJpeg = mimeType === DRAWN.jpeg.mimeType;
    const blob = await encoded(bitmap, size, isJpeg);
    const to = blob.type === DRAWN.png.mimeType ? 'PNG' : 'JPEG';
    return { blob, ...(factor < 1 && { scaled: size }), ...(blob.type !== mimeType && { converted: to }) };
  } finally {
    bitmap.close();
  }
}

/** Encodes as PNG. A picture with too many bytes becomes a JPEG and loses its transparency. */
async function encoded(bitmap: ImageBitmap, { width, height }: { width: number; height: number }, isJpeg: boolean): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const png = isJpeg ? undefined : await canvas.convertToBlob({ type: DRAWN.png.mimeType });
  if (png && png.size <= MAX_PICTURE_BYTES) {
    return png;
  }
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  let blob = await canvas.convertToBlob({ type: DRAWN.jpeg.mimeType, quality: QUALITIES[0] });
  for (const quality of QUALITIES.slice(1)) {
    if (blob.size > MAX_PICTURE_BYTES) {
      blob = await canvas.convertToBlob({ type: DRAWN.jpeg.mimeType, quality });
    }
  }
  return blob;
}
