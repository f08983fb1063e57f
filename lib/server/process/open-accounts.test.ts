import { expect, test } from 'vitest'
import type { Logger } from '@/lib/server/context/log'
import { reportClockDifference } from './open-accounts'

test('a clock difference is reported once when it begins and once when it ends', () => {
  const lines: string[] = []
  const write = (_fields: unknown, text: string) => lines.push(text)
  const report = reportClockDifference({ warn: write, info: write } as unknown as Logger, 'prod')
  for (const ms of [10, -30_000, -7_200_000, -7_200_500, 90_000, 20]) report(ms)
  expect(lines).toEqual([
    expect.stringMatching(/^Keystone's clock is 7200 s behind the clock of this machine: check NTP/),
    "Keystone's clock agrees with the clock of this machine again",
  ])
})
