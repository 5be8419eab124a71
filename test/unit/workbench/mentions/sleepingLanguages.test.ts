/** Language servers that a search of the workspace's symbols starts. */
import assert from 'node:assert/strict';
import { withVscode } from '../../../support/fakeVscode';
import { FakeClock } from '../../session/permission/fakes';

describe('a language server that does not run yet', () => {
  let opened: string[];
  let textDocuments: { readonly uri: { readonly path: string } }[];
  const vscode = {
    workspace: {
      get textDocuments() {
        return textDocuments;
      },
      openTextDocument: (uri: string) => {
        opened.push(uri);
        return uri.includes('gone') ? Promise.reject(new Error('gone')) : Promise.resolve();
      },
    },
    Uri: { parse: (text: string) => text },
  };
  const { SleepingLanguages } = withVscode(
    vscode,
    () =>
      require('../../../../src/workbench/mentions/sleepingLanguages') as typeof import('../../../../src/workbench/mentions/sleepingLanguages'),
  );
  const files = (...paths: string[]) => paths.map((path) => ({ path, uri: `file:///w/${path}` }));

  beforeEach(() => {
    opened = [];
    textDocuments = [];
  });

  it('starts with a file that is opened out of sight, once in a while', async () => {
    const clock = new FakeClock();
    const languages = new SleepingLanguages(clock);
    assert.equal(await languages.wake(files('README.md', 'src/a.ts')), true);
    assert.equal(await languages.wake(files('src/a.ts')), false);
    assert.deepEqual(opened, ['file:///w/src/a.ts']);
    clock.pass(180_000);
    assert.equal(await languages.wake(files('src/a.ts')), true);
  });

  it('is left alone while a file of its language is open, or nothing can be opened', async () => {
    const languages = new SleepingLanguages(new FakeClock());
    textDocuments = [{ uri: { path: '/w/b.ts' } }];
    assert.equal(await languages.wake(files('src/a.ts')), false);
    assert.deepEqual(opened, []);
    textDocuments = [];
    assert.equal(await languages.wake(files('README.md')), false);
    assert.equal(await languages.wake(files('gone.ts')), false);
  });
});
