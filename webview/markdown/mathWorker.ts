/** The worker that typesets formulas: one at a time, so that the page can end it when one takes too long. */
import type { FromMathWorker, ToMathWorker } from './mathMessages';
import { typeset } from './mathTypeset';

const post = (message: FromMathWorker) => self.postMessage(message);

self.onmessage = ({ data: { job, tex, display } }: MessageEvent<ToMathWorker>) => post({ job, result: typeset(tex, display) });
post({});
