import { expect, test } from 'vitest'
import { driverBranch, vgpuReleaseWords } from './vgpu-release'

test('a driver belongs to a branch, and a branch to a vGPU release where that is known', () => {
  expect(driverBranch('550.90.05')).toBe('550')
  expect(driverBranch('535.161')).toBe('535')
  expect(driverBranch('unknown')).toBeNull()
  expect(vgpuReleaseWords('550')).toBe('vGPU 17 (550)')
  expect(vgpuReleaseWords('999')).toBe('999')
})
