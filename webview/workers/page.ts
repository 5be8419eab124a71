/** Workers of a real page. */
import type { READY, WorkerDependencies } from './supervisor';

/**
 * `load` brings the worker's script, a module whose export is its text. It starts from a blob: a page in a webview and its files have different
 * origins, and a worker must be of the page's. It has the page's policy.
 */
export function pageWorkers<Request, Reply>(
  name: string,
  load: () => Promise<{ readonly default: string }>,
): WorkerDependencies<Request, Reply> {
  let address: string | undefined;
  return {
    spawn: async (hear, fail) => {
      const { default: source } = await load();
      address ??= URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
      const worker = new Worker(address, { name });
      worker.onmessage = ({ data }: MessageEvent<Reply | typeof READY>) => hear(data);
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
