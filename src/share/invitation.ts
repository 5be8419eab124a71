/** The text that a client needs to attach, and its QR code. */
import qrcode from 'qrcode-generator';
import { isLoopback } from '../core/platform/privateAddress';

export interface Invitation {
  /** The address with the token, and the certificate's fingerprint. They follow `#`, so that no server or log receives them. */
  readonly link: string;
  /** The rows of the QR code of {@link link}: `1` for a dark module. Absent for an address of this computer, which no phone can reach. */
  readonly code?: readonly string[];
}

/** Automatic size, and a level of correction that fits a screen. */
const SIZE = 0;
const LEVEL = 'L';

export function invitationOf(url: string, token: string, fingerprint: string | undefined): Invitation {
  const link = `${url}#token=${token}${fingerprint === undefined ? '' : `&sha256=${fingerprint}`}`;
  if (isLoopback(new URL(url).hostname)) {
    return { link };
  }
  const code = qrcode(SIZE, LEVEL);
  code.addData(link, 'Byte');
  code.make();
  const indexes = Array.from({ length: code.getModuleCount() }, (_, index) => index);
  return { link, code: indexes.map((row) => indexes.map((column) => (code.isDark(row, column) ? '1' : '0')).join('')) };
}
