import { expect, it } from 'vitest'
import { detect, findOne, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'

it('is the only finding of a silent host, and everything else is unknown', () => {
  const input = { ...t4Cloud(), hosts: t4Cloud().hosts.map((host) => ({ ...host, isSilent: true })) }
  expect(sentences(input)).toEqual(['host-silent: cmp-1 has been silent since 2026-11-21T09:59:50.000Z'])
  expect(findOne(input, 'host-silent')).toMatchObject({
    sourceToCorrect: 'agent',
    consequence: 'Totals include the last known numbers of its 1 pGPU, which may be outdated.',
    subject: { kind: 'host', host: 'cmp-1' },
  })
  expect(detect(input).unverified.map(({ code }) => code)).toContain('orphan-mdevs')
})
