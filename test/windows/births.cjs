// Loaded by plan.cjs for the tests of files' changes. NTFS stores when a file was created; Wine reports its last change instead. The times here are those of
// NTFS: the time at which this process created the file, or the first change that it saw of another one. A move keeps it.
const fs = require('node:fs');
const Module = require('node:module');

/** The times in ms, by device and inode. */
const births = new Map();
const { lstatSync } = fs;

const keyOf = ({ dev, ino }) => `${dev} ${ino}`;
const changeOf = ({ mtimeMs, ctimeMs, mtimeNs, ctimeNs }) =>
  mtimeNs === undefined ? Math.min(mtimeMs, ctimeMs) : Number(mtimeNs < ctimeNs ? mtimeNs : ctimeNs) / 1e6;

function statsAt(file) {
  try {
    return typeof file === 'string' ? lstatSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** Changes the stats to those of NTFS. */
function born(stats) {
  if (!stats) return stats;
  const key = keyOf(stats);
  const birth = Math.min(births.get(key) ?? Infinity, changeOf(stats));
  births.set(key, birth);
  if (typeof stats.ino === 'bigint') {
    stats.birthtimeNs = BigInt(Math.round(birth * 1e6));
    stats.birthtimeMs = stats.birthtimeNs / 1_000_000n;
  } else stats.birthtimeMs = birth;
  return stats;
}

/** Notes the birth of what is at the path now and was not there before: the number of a deleted file is used again. */
function note(file, earlier) {
  const now = statsAt(file);
  if (now && (!earlier || keyOf(earlier) !== keyOf(now))) births.set(keyOf(now), changeOf(now));
}

for (const name of ['statSync', 'lstatSync', 'fstatSync']) {
  const original = fs[name];
  fs[name] = (...args) => born(original(...args));
}
for (const name of ['stat', 'lstat']) {
  const original = fs.promises[name];
  fs.promises[name] = async (...args) => born(await original(...args));
}
for (const name of ['writeFileSync', 'appendFileSync', 'mkdirSync', 'openSync', 'copyFileSync', 'symlinkSync']) {
  const original = fs[name];
  fs[name] = (...args) => {
    const file = /^(?:copy|sym)/.test(name) ? args[1] : args[0];
    const earlier = statsAt(file);
    const result = original(...args);
    note(file, earlier);
    return result;
  };
}
for (const name of ['writeFile', 'appendFile', 'mkdir', 'open', 'copyFile', 'symlink']) {
  const original = fs.promises[name];
  fs.promises[name] = async (...args) => {
    const file = /^(?:copy|sym)/.test(name) ? args[1] : args[0];
    const earlier = statsAt(file);
    const result = await original(...args);
    note(file, earlier);
    if (name === 'open') {
      const { stat } = Object.getPrototypeOf(result);
      result.stat = async (...options) => born(await stat.apply(result, options));
    }
    return result;
  };
}
Module.syncBuiltinESMExports();
