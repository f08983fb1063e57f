import type * as nodeFs from 'node:fs'

/** What the agent needs of node:fs, so that a test can make a file vanish between listing and reading. */
export type FileSystem = Pick<
  typeof nodeFs,
  | 'lstatSync'
  | 'readlinkSync'
  | 'openSync'
  | 'fstatSync'
  | 'readSync'
  | 'closeSync'
  | 'readdirSync'
  | 'statSync'
>
