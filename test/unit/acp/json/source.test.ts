import assert from 'node:assert/strict';
import fc from 'fast-check';
import { idKey, idLiteral, lastMembersOf, membersOf } from '../../../../src/acp/json/source';

describe('source text of members', () => {
  it('finds every member of any object', function () {
    this.timeout(20_000);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const members = [...membersOf(text)].map(([key, source]) => [key, JSON.parse(source!) as unknown]);
        assert.deepEqual(Object.fromEntries(members), JSON.parse(text));
      }),
    );
  });

  it('reads what is left of a cut-off text, and never throws', () => {
    const text = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"x","params":{"a":"\\"}","b":[1,2]}}';
    for (let end = 0; end <= text.length; end++) {
      const members = membersOf(text.slice(0, end));
      const id = members.get('id');
      assert.ok(id === undefined || id === '12345678901234567890', String(id));
    }
    assert.deepEqual([...membersOf(text.slice(0, 70)).keys()], ['jsonrpc', 'id', 'method', 'params']);
  });

  it('returns the last of two members with the same name, as JSON.parse does', () => {
    assert.equal(membersOf('{"id":1,"id":9007199254740993}').get('id'), '9007199254740993');
  });
});

describe('source text of the last members', () => {
  const ends = (text: string): Record<string, string> => Object.fromEntries(lastMembersOf(text));

  it('finds plain values at the end, and the last of the same name', () => {
    assert.deepEqual(ends('xxx"},"id":1,"jsonrpc":"2.0","a":null,"id":-9007199254740993 }\r'), {
      id: '-9007199254740993',
      a: 'null',
      jsonrpc: '"2.0"',
    });
    assert.deepEqual(ends('..."}, "id" : "a\\"}\\\\" }'), { id: '"a\\"}\\\\"' });
  });

  it('ignores members of inner objects and of strings', () => {
    for (const text of [
      '..."x":{"a":1,"id":5}}',
      '..."x":[{"a":1},{"b":1,"id":5}]}',
      '..."text":",\\"id\\":5}"}',
      '..."text":",\\"id\\":5"}',
      '..."id":5',
      '...',
      '',
    ]) {
      assert.equal(ends(text).id, undefined, text);
    }
  });

  it('agrees with JSON.parse wherever the text is cut', function () {
    this.timeout(20_000);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (object, cut) => {
        const text = JSON.stringify(object);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        for (const [key, source] of lastMembersOf(text.slice(cut % (text.length + 1)))) {
          assert.deepEqual(JSON.parse(source), parsed[key]);
        }
      }),
    );
  });
});

describe('id keys', () => {
  it('are the same for every spelling of a safe integer', () => {
    assert.deepEqual(['1000', '1e3', '1000.0', '0', '-0', '-7'].map(idKey), ['1000', '1000', '1000', '0', '0', '-7']);
    assert.deepEqual(['9007199254740993', '9007199254740992', '1.5', '1e400'].map(idKey), [
      '9007199254740993',
      '9007199254740992',
      '1.5',
      '1e400',
    ]);
  });

  it('keep strings, numbers and null apart', () => {
    assert.deepEqual(['"1"', '1', 'null', '"null"', '""'].map(idKey), ['"1"', '1', 'null', '"null"', '""']);
  });
});

describe('id literals', () => {
  const literal = (json: string): string | undefined => idLiteral((JSON.parse(json) as { id: unknown }).id, json, ['id']);

  it('keeps the digits of a number that JavaScript cannot represent', () => {
    assert.equal(literal('{"id":9007199254740993}'), '9007199254740993');
    assert.equal(literal('{"params":{"id":5},"id": -18446744073709551615 }'), '-18446744073709551615');
    assert.equal(literal('{"id":1.5}'), '1.5');
    assert.equal(literal('{"jsonrpc":"2.0","id":1.0,"x":1}'), '1.0');
    assert.equal(literal('{"jsonrpc":"2.0","id":1e3,"x":1}'), '1e3');
    assert.equal(literal('{"jsonrpc":"2.0","id":12,"x":1}'), '12');
  });

  it('writes strings, safe numbers and null back', () => {
    assert.equal(literal('{"id":"\\u0041\\"é"}'), '"A\\"é"');
    assert.equal(literal('{"id":0}'), '0');
    assert.equal(literal('{"id":null}'), 'null');
  });

  it('is undefined for anything that is not an id', () => {
    for (const json of ['{"id":{}}', '{"id":[1]}', '{"id":true}', '{}']) {
      assert.equal(literal(json), undefined, json);
    }
  });

  it('follows a path', () => {
    const json = '{"method":"$/cancel_request","params":{"requestId":9007199254740995}}';
    assert.equal(idLiteral(9007199254740996, json, ['params', 'requestId']), '9007199254740995');
  });
});
