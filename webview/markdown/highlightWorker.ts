/** The worker: what comes in is tokenised and answered, one message after the other. */
import type { ToWorker } from './highlightMessages';
import { Tokenizer } from './highlightTokenizer';

const tokenizer = new Tokenizer();

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const answer = tokenizer.receive(data);
  // Not the window's: a worker's takes the message alone.
  if (answer) (self.postMessage as (message: unknown) => void)(answer);
};
