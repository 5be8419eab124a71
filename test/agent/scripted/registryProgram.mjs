#!/usr/bin/env node
// The smallest agent: it answers `initialize` and ends with its input.
let text = '';
process.stdin.on('data', (chunk) => {
  text += chunk;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
    const { id } = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    const result = {
      protocolVersion: 1,
      agentInfo: { name: 'registry-agent', version: process.env.AGENT_VERSION ?? '' },
      agentCapabilities: {},
    };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});
process.stdin.on('end', () => process.exit(0));
