/**
 * The program that `ssh` runs for its questions. It asks the extension over a socket, prints the answer, and ends with 1 without one. It is a bundle of
 * its own, and runs on VS Code's Node.js.
 */
import net from 'node:net';
import { ASKPASS_SOCKET, ASKPASS_TOKEN, type AskpassAnswer, type AskpassRequest } from './askpassProtocol';

const { [ASKPASS_SOCKET]: address, [ASKPASS_TOKEN]: token, SSH_ASKPASS_PROMPT: hint } = process.env;
if (address === undefined || token === undefined) {
  process.exit(1);
}
const request: AskpassRequest = { token, prompt: process.argv.slice(2).join(' '), ...(hint !== undefined && { hint }) };
const socket = net.connect(address, () => socket.write(`${JSON.stringify(request)}\n`));
let text = '';
socket.setEncoding('utf8');
socket.on('data', (chunk: string) => (text += chunk));
socket.on('error', () => process.exit(1));
socket.on('end', () => {
  const { answer } = (text === '' ? {} : JSON.parse(text)) as AskpassAnswer;
  if (answer === undefined) {
    process.exit(1);
  }
  process.stdout.write(`${answer}\n`, () => process.exit(0));
});
