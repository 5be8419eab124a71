/**
 * The stdio bridge: a program that an agent starts as an MCP server. It connects to the window over a socket and copies lines in both directions. It
 * runs on VS Code's own Node, and its environment has the socket and the token, so that no list of processes shows them.
 */
import { connect } from 'node:net';
import { BridgeLink } from './link';

const { ACP_HOST_MCP_SOCKET: address, ACP_HOST_MCP_TOKEN: token } = process.env;
if (address === undefined || token === undefined) {
  process.stderr.write('This program is started by ACP Host.\n');
  process.exit(2);
}

const link = new BridgeLink({
  connect: () => connect(address),
  token,
  write: (line) => void process.stdout.write(`${line}\n`),
  onGone: () => process.exit(1),
});

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  lines.filter((line) => line.trim() !== '').forEach((line) => link.fromAgent(line));
});
process.stdin.on('end', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));
