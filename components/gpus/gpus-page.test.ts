import { expect, test } from 'vitest'
import { gpusSub } from './gpus-page'

test('the subtitle states that no cloud is connected until the cloud is read', () => {
  const sizes = { pgpus: 3, hosts: 1 }
  expect(gpusSub({ ...sizes, isCloudRead: false })).toBe('3 pGPUs on 1 host, no cloud connected')
  expect(gpusSub({ ...sizes, isCloudRead: true })).toBe('3 pGPUs on 1 host')
  expect(gpusSub({ pgpus: 0, hosts: 0, isCloudRead: false })).toBe('0 pGPUs on 0 hosts')
})
