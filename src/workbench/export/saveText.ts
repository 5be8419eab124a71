/** Writes what comes in pieces to a file of the user's choice, a portion at a time; readable by the user only, where files can be that. */
import * as vscode from 'vscode';
import { writeFileSafely } from '../../util/writeFileSafely';
import { inTimeSlices } from '../shared/timeSlice';
import { exists, mayReplace, type SaveTarget } from './saveTarget';
import type { UserActivity } from '../shared/userActivity';

/** UTF-16 units that are written at once. */
const PORTION = 256 * 1024;

type Pieces = Iterable<string> | AsyncIterable<string>;

/**
 * A file that came since the target was chosen is asked about. When it fails or is given up, what was begun is removed.
 * @param pieces called again when all is written anew
 * @returns false when the user wants to keep what is there
 * @throws vscode.CancellationError when `token` is cancelled; whatever the disk says
 */
export function saveText(
  target: SaveTarget,
  pieces: () => Pieces,
  activity: Pick<UserActivity, 'during'>,
  token?: vscode.CancellationToken,
): Promise<boolean> {
  return save(target, () => portions(pieces(), token), activity);
}

/** As {@link saveText}. */
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

/** A file system of an extension takes it in one piece. */
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
