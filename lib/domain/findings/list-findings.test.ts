import { expect, test } from 'vitest'
import { describeHost } from '@/lib/domain/host/describe-host'
import type { HostFinding } from '@/lib/domain/pgpu/types'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { listFindings } from './list-findings'

const finding = (code: string, severity: HostFinding['severity']): HostFinding => ({
  code,
  severity,
  sentence: 'short',
  detail: 'long',
})

test('findings of the host and of its pGPUs are in one list, most urgent first, without their texts', () => {
  const [pgpu] = describeHost(t4SeedHost()).pgpus
  if (pgpu === undefined) throw new Error('the inventory has no pGPU')
  const description = {
    findings: [finding('old-option-names', 'info'), finding('nova-conf-not-read', 'warning')],
    pgpus: [{ ...pgpu, address: '0000:18:00.0', findings: [finding('sriov-over-promise', 'error')] }],
  }
  expect(listFindings(description)).toEqual([
    { code: 'sriov-over-promise', severity: 'error', pgpuAddress: '0000:18:00.0' },
    { code: 'nova-conf-not-read', severity: 'warning', pgpuAddress: null },
    { code: 'old-option-names', severity: 'info', pgpuAddress: null },
  ])
})
