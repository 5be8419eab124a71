// Errors for the agent, in English. The user sees texts made from code and params.
import { Fault, fault } from '../core/model/failure';
import type { FailureCode } from '../core/model/failure';
import { describeLines } from '../util/text';
import type { LineRange } from '../util/text';
import type { Damage } from './buffers';

/** JSON-RPC: the parameters are wrong; repeating the request does not help. */
const INVALID_PARAMS = -32602;
/** ACP: the resource does not exist. */
const RESOURCE_NOT_FOUND = -32002;
/** JSON-RPC in ACP's extension: `$/cancel_request`. */
const REQUEST_CANCELLED = -32800;

export const notFound = (path: string): Fault =>
  fault('fs.not_found', { path }, { rpcCode: RESOURCE_NOT_FOUND, message: `No such file: ${path}` });

export const movedMeanwhile = (path: string): Fault =>
  fault('fs.led_elsewhere', { path }, { message: `Nothing was done: ${path} led to another file when the user had answered.` });

export const isDirectory = (path: string): Fault =>
  fault('fs.is_directory', { path }, { rpcCode: INVALID_PARAMS, message: `A folder, not a file: ${path}` });

export const binary = (path: string): Fault =>
  fault('fs.binary', { path }, { rpcCode: INVALID_PARAMS, message: `Not a text file: ${path}` });

export const tooLarge = (path: string, bytes: number, maxBytes: number): Fault =>
  fault(
    'fs.too_large',
    { path, bytes, maxBytes },
    {
      rpcCode: INVALID_PARAMS,
      message: `Too large: ${path} has ${bytes} bytes, at most ${maxBytes} are read.`,
    },
  );

export const pastTheEnd = (path: string, line: number, lines: number): Fault =>
  fault(
    'params.invalid',
    { path, line, lines },
    {
      rpcCode: INVALID_PARAMS,
      message: `Line ${line} is past the end: ${path} has ${lines} line${lines === 1 ? '' : 's'}.`,
    },
  );

export const unreadable = (path: string, cause: unknown): Fault => failed('fs.unreadable', path, 'Cannot be read', cause);

export const writeFailed = (path: string, cause: unknown): Fault => failed('fs.write_failed', path, 'Not written', cause);

export const readOnly = (path: string): Fault => fault('fs.read_only', { path }, { message: `Not written: ${path} is read-only.` });

export const dirtyNotebook = (path: string): Fault =>
  fault(
    'fs.notebook_dirty',
    { path },
    {
      message: `Not written: the notebook ${path} is open with unsaved changes. Ask the user to save it.`,
    },
  );

export const damaging = (path: string, damage: Damage): Fault => {
  const detail =
    damage === 'characters'
      ? "the new text has characters that the file's encoding does not have"
      : 'the file has bytes that are not text in its encoding and would be lost';
  return fault('fs.write_failed', { path }, { detail, message: `Not written: ${path}: ${detail}.` });
};

export const conflict = (path: string, ranges: readonly LineRange[], neverRead: boolean): Fault => {
  const lines = describeLines(ranges);
  const what = /^\d+$/.test(lines) ? `line ${lines}` : `lines ${lines}`;
  return fault(
    'fs.conflict',
    { path, lines },
    {
      message: neverRead
        ? `Not written: ${path} has unsaved changes of the user (${what}) that you have not read. Read the file, then write it again.`
        : `Not written: ${what} of ${path} changed since you last read or wrote the file. Read it again, then repeat your change.`,
    },
  );
};

export const staleOnDisk = (path: string): Fault =>
  fault(
    'fs.stale_on_disk',
    { path },
    {
      message: `Not saved: ${path} was changed on disk by another program while open with unsaved changes. Your edit is in the editor, unsaved; the user has to resolve this.`,
    },
  );

export const saveFailed = (path: string, cause?: unknown): Fault =>
  fault(
    'fs.save_failed',
    { path },
    {
      ...(cause !== undefined && { detail: textOf(cause) }),
      message: `Not saved: the editor could not save ${path}. Your edit is in the editor, unsaved.`,
    },
  );

export const editRefused = (path: string): Fault =>
  fault('fs.edit_refused', { path }, { message: `Not written: ${path} kept changing while it was edited. Try again.` });

export const cancelled = (): Fault => fault('request.cancelled', undefined, { rpcCode: REQUEST_CANCELLED, message: 'Cancelled' });

export const isFault = (thrown: unknown): thrown is Fault => thrown instanceof Fault;

export const isNotFound = (thrown: unknown): boolean => isFault(thrown) && thrown.failure.code === 'fs.not_found';

function failed(code: FailureCode, path: string, text: string, cause: unknown): Fault {
  return fault(code, { path }, { detail: textOf(cause), message: `${text}: ${path}: ${textOf(cause)}` });
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
