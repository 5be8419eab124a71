/** A `.tar.bz2` with the file `agent`, which is registryProgram.mjs. Made by tar and bzip2, because Node has no encoder. */
export const BZIP2_ARCHIVE = Buffer.from(
  [
    'QlpoOTFBWSZTWbWk+UIAAOt/hMiQAEBs7/6bqrGdDP//3/oIAIAIQAG9bszdthokT0mgZDQ0NGmhoNADQDQANAaQ0mBT1G1NQB6hkMhoAMnqAAaP1Qap+kqfkU9pNTaNBo',
    'mmTACDAJgIwTASSU2RTTJtTE2kyaGmjCNGAENANNDT2Ke9zCAhEgERV4FeSJ5PQyEDgsn4yZs8zhGlYAdjITSK288K4TsaXS4srLSEBwIgWd7pmCFEieg1W12Kbe8DH0ri',
    'U9ms5USN+Bq3VIZE8c8VJmwfAbda9dWQBNgeCLmhCT1Z/TfN+BWAwxMLQgRbqnS/B8SUAoSxUQKEhFi28mBm8wQfphAIcHyDSxK4FGjywCRmk87LLR+alkWDdNg5hz7x4j',
    'BXweM252uKHiqnLwLdvSIwpFEMK/Ty62K3R2/vOZh/Keyy+9LVD5a3Pd2qcOMhJyZCBBaAiZqECRD0zGjNgp3SkUUDSQry0y3YZELYhAmG1kWQWSdrkFbdVsQmAeCRdZQM',
    'oQ7XaIdS2uP0gWSgpqo63xHGO4UnYPBbhCP1gew8bucSD3RqEEvekitSm5DgOKcQI546bhknUCUxJjU2G4sS1MZB36l84IDLyL8SBmV8RpYsE8JWBYYOImRyRrGISpnk8w',
    'AqchYAtoiIkKnGrCEWRXqRsaJI2llEctSg9UWN7LHZctVNCD/F3JFOFCQtaT5QgA==',
  ].join(''),
  'base64',
);
