import { expect, test } from 'vitest'
import { choiceLabel, formatQuota, newServerSentence, quotaLabel, typedNote } from './create-server-text'

const state = (status: string, fault: string | null = null) => ({
  uuid: 'u',
  name: 'train-07',
  status,
  fault,
})

test.each([
  [undefined, 'Nova accepted the server train-07 and is building it.'],
  [state('BUILD'), 'Nova accepted the server train-07 and is building it.'],
  [state('ACTIVE'), 'The server train-07 has the status ACTIVE.'],
  [
    state('ERROR', 'No valid host was found. There are not enough hosts available.'),
    'The server train-07 failed: no host has capacity for it now. Delete it, and try again later or with another flavor.',
  ],
  [state('ERROR', 'Build aborted.'), 'The server train-07 failed: Build aborted. Delete it and try again.'],
  [state('ERROR'), 'The server train-07 failed: Nova reports no reason. Delete it and try again.'],
])('a new server, case %#', (given, sentence) => {
  expect(newServerSentence('train-07', given)).toBe(sentence)
})

test('quotas have names and units that tenants know', () => {
  expect(['class:VGPU', 'class:CUSTOM_A40_4Q', 'servers'].map(quotaLabel)).toEqual([
    'vGPUs',
    'A40_4Q',
    'Servers',
  ])
  expect(formatQuota({ resourceName: 'class:MEMORY_MB' }, 65_536)).toBe('64 GiB')
  expect(formatQuota({ resourceName: 'class:DISK_GB' }, 2000)).toBe('2,000 GiB')
  expect(formatQuota({ resourceName: 'class:VCPU' }, 8)).toBe('8')
})

test('a choice that does not work has the reason, and a list that failed requests the name', () => {
  expect(choiceLabel({ name: 'windows', problem: 'needs a disk of 64 GiB' })).toBe(
    'windows (needs a disk of 64 GiB)',
  )
  expect(typedNote('Glance does not respond.', 'image')).toBe(
    'Glance does not respond. Enter the name of the image to complete the command.',
  )
})
