import { expect, test } from 'vitest'
import { describeNovaRefusal } from './refusal'

test('unified limits are named with their use', () => {
  const detail =
    'Project 5f2 is over a limit for [Resource class:MEMORY_MB is over limit of 1024 due to current usage 0 and delta 4096, Resource class:VGPU is over limit of 4 due to current usage 4 and delta 1]'
  expect(describeNovaRefusal({ status: 403, detail })).toEqual({
    kind: 'quota',
    message:
      'The quota of your project does not allow this server (memory: 0 of 1024 used, 4096 more needed; vGPUs: 4 of 4 used, 1 more needed). Request quota or delete a server.',
  })
})

test('the legacy driver’s own words are quoted', () => {
  const detail = 'Quota exceeded for cores: Requested 8, but already used 20 of 20 cores'
  expect(describeNovaRefusal({ status: 403, detail })).toEqual({
    kind: 'quota',
    message: `The quota of your project does not allow this server. Request quota or delete a server. Nova reports: “${detail}”.`,
  })
})

test.each([
  [403, "Policy doesn't allow os_compute_api:servers:create to be performed.", 'policy', 'Ask an admin'],
  [403, null, 'policy', 'Nova does not allow you'],
  [409, "Multiple security groups found matching 'web'.", 'conflict', 'Refresh the choices'],
  [413, null, 'busy', 'Try again in a minute'],
  [429, null, 'busy', 'Try again in a minute'],
  [400, 'Invalid key_name provided.', 'invalid', 'Nova reports: “Invalid key_name provided”.'],
  [404, null, 'invalid', 'Select another value'],
] as const)('status %s with "%s" is %s', (status, detail, kind, part) => {
  const refusal = describeNovaRefusal({ status, detail })
  expect(refusal).toMatchObject({ kind, message: expect.stringContaining(part) })
})
