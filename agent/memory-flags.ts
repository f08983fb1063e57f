import { setFlagsFromString } from 'node:v8'

/**
 * V8 settings for an agent that stays. Measured on a full host after 40 scans: 71 MiB instead of 103, for 82 ms of CPU a
 * scan instead of 67.
 */
export const MEMORY_FLAGS = ['--semi-space-growth-factor=1', '--optimize-for-size'] as const

export const keepMemorySmall = (): void => {
  for (const flag of MEMORY_FLAGS) setFlagsFromString(flag)
}
