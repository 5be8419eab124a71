import assert from 'node:assert/strict';
import { latestOnly } from '../../../../src/application/shared/latestOnly';

describe('the newest result', () => {
  it('is also returned to earlier callers, however late their own result arrives', async () => {
    let endSlow!: (theme: string) => void;
    let endQuick!: (theme: string) => void;
    const slow = new Promise<string>((resolve) => (endSlow = resolve));
    const quick = new Promise<string>((resolve) => (endQuick = resolve));
    let reading = slow;
    const told: string[] = [];
    const tell = async () => void told.push(await latestOnly(() => reading));
    const first = tell();
    reading = quick;
    const second = tell();
    endQuick('Night');
    await second;
    endSlow('Day');
    await first;
    assert.deepEqual(told, ['Night', 'Night']);
  });
});
