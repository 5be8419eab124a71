/** Creates the workers of a real page. */
import type { READY, WorkerDependencies } from './supervisor';

/**
 * Starts a worker from the script that `load` returns, a module whose export is its text. The script runs from a blob, because a webview's page and
 * its files have different origins, and a worker must have the page's. The page's content security policy applies.
 */
export function pageWorkers<Request, Reply>(
  name: string,
  load: () => Promise<{ readonly default: string }>,
): WorkerDependencies<Request, Reply> {
  let address: string | undefined;
  return {
    spawn: async (onMessage, fail) => {
      const { default: source } = await load();
      address ??= URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
      const worker = new Worker(address, { name });
      worker.onmessage = ({ data }: MessageEvent<Reply | typeof READY>) => onMessage(data);
      worker.onerror = (event) => {
        event.preventDefault();
        fail();
      };
      return worker;
    },
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}
