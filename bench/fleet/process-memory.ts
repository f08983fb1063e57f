import { readFileSync } from 'node:fs'

/** What a process holds now (`VmRSS`) or held at most (`VmHWM`), in MiB. */
export const mebibytesOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
