/** The worker: what comes in is tokenised and answered, one message after the other. */
import { READY } from '../../../workers/supervisor';
import type { FromWorker, ToWorker } from './messages';
import { Tokenizer } from './tokenizer';

const tokenizer = new Tokenizer();

// Not the window's: a worker's takes the message alone.
const post = self.postMessage.bind(self) as (message: FromWorker | typeof READY) => void;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const answer = tokenizer.receive(data);
  if (answer) {
    post(answer);
  }
};
post(READY);
