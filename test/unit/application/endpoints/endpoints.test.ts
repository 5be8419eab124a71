import assert from 'node:assert/strict';
import { addressProblem, endpointRows, headersOf, isUnencrypted, withChoice } from '../../../../src/application/endpoints/endpointRows';
import { choiceIn } from '../../../../src/application/endpoints/storedChoice';
import type { ProviderChoice } from '../../../../src/core/account/provider';
import { english } from '../english';

const MAIN = {
  providerId: 'main',
  supported: ['anthropic'],
  required: true,
  current: { apiType: 'anthropic', baseUrl: 'https://a.example' },
};
const CHOICE: ProviderChoice = { providerId: 'main', apiType: 'anthropic', baseUrl: 'https://b.example', headers: { 'x-api-key': 'k' } };

describe('the endpoints of an agent', () => {
  it('are listed with their present address, and with those that the agent no longer lists', () => {
    const off = { providerId: 'other', supported: ['openai'], required: false };
    const rows = endpointRows([MAIN, off], [{ ...CHOICE, providerId: 'gone' }], english);
    assert.deepEqual(
      rows.map(({ label, description, detail }) => [label, description, detail]),
      [
        ['main', 'anthropic', 'https://a.example'],
        ['other', 'Off', undefined],
        ['gone', 'Not offered', 'Set by you'],
      ],
    );
  });

  it('take an address without a password', () => {
    assert.equal(addressProblem(' https://a.example/v1 ', english), undefined);
    assert.equal(addressProblem('http://localhost:8080', english), undefined);
    for (const text of ['', 'a.example', 'ftp://a.example', 'https://user:pass@a.example', 'https://a.example\t.b', 'ht\ntps://a']) {
      assert.notEqual(addressProblem(text, english), undefined, text);
    }
    assert.deepEqual(['http://a.example', 'http://127.0.0.1:1', 'https://a.example'].map(isUnencrypted), [true, false, false]);
  });

  it('get the key in the header that the user has chosen', () => {
    assert.deepEqual(headersOf('bearer', 'k'), { Authorization: 'Bearer k' });
    assert.deepEqual(headersOf('api-key', 'k'), { 'api-key': 'k' });
    assert.deepEqual(headersOf('none', ''), {});
  });

  it('are replaced and reset one by one', () => {
    const off: ProviderChoice = { providerId: 'other', isOff: true };
    assert.deepEqual(withChoice([off, CHOICE], 'other', undefined), [CHOICE]);
    assert.deepEqual(withChoice([off], 'other', { ...CHOICE, providerId: 'other' }), [{ ...CHOICE, providerId: 'other' }]);
  });

  it('are read back as they were stored', () => {
    assert.deepEqual(choiceIn('main', JSON.stringify(CHOICE)), [CHOICE]);
    assert.deepEqual(choiceIn('x', '{"isOff":true}'), [{ providerId: 'x', isOff: true }]);
    assert.deepEqual(choiceIn('x', '{"apiType":"a","baseUrl":"b","headers":{"h":5}}'), [
      { providerId: 'x', apiType: 'a', baseUrl: 'b', headers: {} },
    ]);
    for (const text of ['', 'null', '{', '{"apiType":1,"baseUrl":"b"}']) {
      assert.deepEqual(choiceIn('x', text), [], text);
    }
  });
});
