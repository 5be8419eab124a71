import assert from 'node:assert/strict';
import { fault } from '../../../../src/core/model/failure';
import { connected, settle } from '../support';

describe('quirk: Gemini takes a missing file for an empty one', () => {
  const read = async (name: string | undefined, error?: Error) => {
    const { transport, client } = connected(name === undefined ? {} : { agentInfo: { name, version: '1' } });
    if (error) {
      client.file = () => Promise.reject(error);
    }
    transport.feed({ jsonrpc: '2.0', id: 7, method: 'fs/read_text_file', params: { sessionId: 's', path: '/none' } });
    await settle();
    const { result, error: answered } = transport.last as { result?: unknown; error?: { code: number } };
    return result ?? answered?.code;
  };

  it('answers Gemini with an empty file', async () => {
    assert.deepEqual(await read('gemini-cli'), { content: '' });
  });

  it('answers other agents with the error, and Gemini with any other error', async () => {
    assert.equal(await read('qwen-code'), -32002);
    assert.equal(await read(undefined), -32002);
    assert.equal(await read('gemini-cli', fault('fs.outside_roots', {}, { rpcCode: -32602 })), -32602);
  });
});
