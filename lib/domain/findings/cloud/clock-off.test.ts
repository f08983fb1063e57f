import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'

it('is reported with the texts of the console', () => {
  const problems = [
    { source: 'clock', code: 'clock', message: "The host's clock is about 20 minutes ahead." },
  ]
  const input = { ...t4Cloud(), hosts: t4Cloud().hosts.map((host) => ({ ...host, problems })) }
  expect(sentences(input)).toEqual(['clock-off: the clock of cmp-1 is off'])
  expect(findOne(input, 'clock-off').evidence[0]?.reported).toBe(problems[0]?.message)
})
