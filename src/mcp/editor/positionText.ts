/** The text in which a tool looks for a position that the agent names. */
import type { SessionFile } from './files';
import type { PositionInput } from './position';
import { RetryError } from './retry';
import type { ToolSession } from './tool';

export interface PositionTextPort {
  textOf(path: string): Promise<string>;
  /** False for a file that is protected from the session's agent. */
  mayRead(session: ToolSession, file: string): Promise<boolean>;
}

/**
 * Returns the text of the file. Errors about positions quote lines, and say whether a line has a text. So a protected file takes only the number of a line.
 * @throws RetryError
 */
export async function textForPosition(
  port: PositionTextPort,
  session: ToolSession,
  { path, shown }: SessionFile,
  { symbol, lineText, column }: PositionInput,
): Promise<string> {
  const needsText = symbol !== undefined || lineText !== undefined || column !== undefined;
  if (needsText && !(await port.mayRead(session, path))) {
    throw new RetryError(`${shown} is protected by the user's settings, so nothing is looked up in it. Give line alone.`);
  }
  const text = await port.textOf(path).catch(() => undefined);
  if (text === undefined) {
    throw new RetryError(`${shown} cannot be read as text.`);
  }
  return text;
}
