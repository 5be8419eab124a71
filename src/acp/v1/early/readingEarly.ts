/** Loads the reader of the early dialect (`quirks/early`) with the first message of the dialect, and puts it in front of the interpreter. */
import type { Connection } from '../../jsonrpc/connection';
import type { Interpreter } from '../../protocolVersion';
import { isEarlyMessage } from '../../quirks/early/recognize';

type EarlyReader = typeof import('./reader').readEarly;

let reader: EarlyReader | undefined;

/** Provides the reader where messages must be read at once, in the replay of a log. */
export function provideEarlyReader(provided: EarlyReader): void {
  reader = provided;
}

export function readingEarly(standard: Interpreter): Interpreter {
  let current = standard;
  let connection: Connection | undefined;
  let isLoading = false;
  return {
    ...standard,
    prepare: (method, params) => {
      if (isLoading || !connection || !isEarlyMessage(method, params)) {
        return undefined;
      }
      isLoading = true;
      const peer = connection;
      const use = (read: EarlyReader): void => {
        current = read(standard, peer);
      };
      if (reader) {
        use(reader);
        return undefined;
      }
      // Without the reader, the message is shown as unknown.
      return import('./reader').then(
        ({ readEarly }) => use((reader = readEarly)),
        () => undefined,
      );
    },
    onRequest: (method, params, respond, signal) => current.onRequest(method, params, respond, signal),
    onNotification: (method, params) => current.onNotification(method, params),
    dialect: (answer, to) => {
      connection = to;
      return standard.dialect(answer, to);
    },
  };
}
