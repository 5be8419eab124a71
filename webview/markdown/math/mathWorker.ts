/** The worker that typesets formulas, one at a time, so that the page can terminate it when one takes too long. */
import { READY } from '../../workers/supervisor';
import type { MathResult, ToMathWorker } from './messages';
import { typeset } from './typeset';

const post = (message: MathResult | typeof READY) => self.postMessage(message);

self.onmessage = ({ data: { tex, display } }: MessageEvent<ToMathWorker>) => post(typeset(tex, display));
post(READY);
