/** Writes pieces of text to a file of the user's choice, in portions. Only the user can read the file, where the file system supports that. */
import * as vscode from 'vscode';
import { writeFileSafely } from '../../util/writeFileSafely';
import { inTimeSlices } from '../../application/shared/timeSlice';
import { exists, mayReplace, type SaveTarget } from './saveTarget';
import type { UserActivity } from '../shared/userActivity';

/** The number of UTF-16 units that are written at once. */
const PORTION = 256 * 1024;

type Pieces = Iterable<string> | AsyncIterable<string>;

/**
 * Saves the text. Asks before replacing a file that was created since the target was chosen. Removes an incomplete file after a failure or a
 * cancellation.
 * @param pieces called again for a second attempt
 * @returns false when the user wants to keep the existing file
 * @throws vscode.CancellationError when `token` is cancelled; any error from the disk
 */
export function saveText(
  target: SaveTarget,
  pieces: () => Pieces,
  activity: Pick<UserActivity, 'during'>,
  token?: vscode.CancellationToken,
): Promise<boolean> {
  return save(target, () => portions(pieces(), token), activity);
}

/** Like {@link saveText}, for bytes. */
export function saveBytes(target: SaveTarget, bytes: Uint8Array, activity: Pick<UserActivity, 'during'>): Promise<boolean> {
  return save(target, () => [bytes], activity);
}

async function save(
  { uri, overwrite }: SaveTarget,
  portions: () => Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  activity: Pick<UserActivity, 'during'>,
): Promise<boolean> {
  try {
    await (uri.scheme === 'file' ? writeFileSafely(uri.fsPath, portions(), { overwrite }) : writeElsewhere(uri, portions(), overwrite));
    return true;
  } catch (error) {
    if (overwrite || (error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    return (await mayReplace(uri, activity)) && save({ uri, overwrite: true }, portions, activity);
  }
}

/** Writes to a file system of an extension, which accepts only a whole file. */
async function writeElsewhere(
  uri: vscode.Uri,
  portions: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  overwrite: boolean,
): Promise<void> {
  const all: Buffer[] = [];
  for await (const portion of portions) {
    all.push(typeof portion === 'string' ? Buffer.from(portion) : Buffer.from(portion));
  }
  if (!overwrite && (await exists(uri))) {
    throw Object.assign(vscode.FileSystemError.FileExists(uri), { code: 'EEXIST' });
  }
  await vscode.workspace.fs.writeFile(uri, Buffer.concat(all));
}

async function* portions(pieces: Pieces, token: vscode.CancellationToken | undefined): AsyncIterable<string> {
  let portion = '';
  const check = (): void => {
    if (token?.isCancellationRequested) {
      throw new vscode.CancellationError();
    }
  };
  for await (const piece of inTimeSlices(pieces, check)) {
    portion += piece;
    if (portion.length >= PORTION) {
      check();
      yield portion;
      portion = '';
    }
  }
  yield portion;
}
