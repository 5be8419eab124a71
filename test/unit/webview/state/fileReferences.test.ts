import assert from 'node:assert/strict';
import type { FromView } from '../../../../src/core/protocol/view';
import { FileReferences } from '../../../../webview/state/fileReferences';

describe('the page’s information about files', () => {
  function stage() {
    const posted: FromView[] = [];
    let due: (() => void)[] = [];
    const files = new FileReferences({ post: (message) => posted.push(message), after: (_ms, callback) => due.push(callback) });
    const pass = () => due.splice(0).forEach((callback) => callback());
    const asked = () => posted.splice(0).flatMap((message) => (message.type === 'files' ? [message.texts] : []));
    due = [];
    return { files, pass, asked };
  }

  it('is requested in batches, and once', () => {
    const { files, pass, asked } = stage();
    for (const text of ['a.ts', 'b.ts', 'a.ts']) {
      files.watch(text, () => {});
    }
    assert.deepEqual(asked(), []);
    pass();
    assert.deepEqual(asked(), [['a.ts', 'b.ts']]);
    files.receive([{ text: 'a.ts', is: 'file', path: '/w/a.ts' }]);
    files.watch('a.ts', () => {});
    pass();
    assert.deepEqual(asked(), []);
  });

  it('is passed to its listeners when it changes', () => {
    const { files, pass } = stage();
    let told = 0;
    const leave = files.watch('a.ts', () => told++);
    pass();
    files.receive([{ text: 'a.ts', is: 'nothing' }]);
    files.receive([{ text: 'a.ts', is: 'nothing' }]);
    assert.equal(told, 1);
    leave();
    files.receive([{ text: 'a.ts', is: 'file', path: '/w/a.ts' }]);
    assert.equal(told, 1);
  });

  it('is requested again for unknown files once files may have been created', () => {
    const { files, pass, asked } = stage();
    files.watch('new.ts', () => {});
    files.watch('a.ts', () => {});
    const leave = files.watch('gone.ts', () => {});
    pass();
    asked();
    files.receive([
      { text: 'new.ts', is: 'nothing' },
      { text: 'gone.ts', is: 'nothing' },
      { text: 'a.ts', is: 'file', path: '/w/a.ts' },
    ]);
    leave();
    files.filesChanged();
    pass();
    assert.deepEqual(asked(), [['new.ts']]);
  });

  it('is limited per request and in total', () => {
    const { files, pass, asked } = stage();
    for (let index = 0; index < 6000; index++) {
      files.watch(`f${index}.ts`, () => {});
    }
    pass();
    const questions = asked();
    assert.deepEqual([questions.flat().length, Math.max(...questions.map(({ length }) => length))], [5000, 200]);
  });
});
