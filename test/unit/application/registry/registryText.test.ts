import assert from 'node:assert/strict';
import { registryReason } from '../../../../src/application/registry/registryText';
import { installFault, refusal, unreachable } from '../../../../src/registry/registryReasons';
import type { Values } from '../../../../src/text/messages/translate';

const english = (message: string, values: Values = {}): string => message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

describe('the reasons of registries', () => {
  it('say what happened and what to do', () => {
    assert.equal(
      registryReason(refusal('invalid', 'distribution.npx.package'), english),
      "In the registry's entry, distribution.npx.package isn't valid.",
    );
    assert.equal(registryReason(unreachable('http_status', { status: 503 }), english), 'The server answered with the status 503.');
    assert.equal(registryReason(unreachable('not_json'), english), "The answer isn't JSON.");
    assert.equal(registryReason(installFault('disk_full').failure, english), 'The disk is full. Free up some space, then try again.');
    assert.equal(registryReason(installFault('cut_off').failure, english), 'The connection broke before everything was there. Try again.');
  });

  it('are not those of other failures', () => {
    assert.equal(registryReason({ code: 'internal' }, english), undefined);
    assert.equal(registryReason({ code: 'install.failed', params: { reason: 'toString' } }, english), undefined);
  });

  it('show the values of others as the caller wants', () => {
    assert.match(registryReason(refusal('missing', '<b>'), english, (value) => `[${value}]`) ?? '', /no \[<b>\]/);
  });
});
