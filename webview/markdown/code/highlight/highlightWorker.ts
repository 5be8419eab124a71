/** The worker: tokenizes and answers the messages one after the other. */
import { READY } from '../../../workers/supervisor';
import type { FromWorker, ToWorker } from './messages';
import { Tokenizer } from './tokenizer';

const tokenizer = new Tokenizer();

// The types describe the window's `postMessage`; the worker's takes only the message.
const post = self.postMessage.bind(self) as (message: FromWorker | typeof READY) => void;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const answer = tokenizer.receive(data);
  if (answer) {
    post(answer);
  }
};
post(READY);
