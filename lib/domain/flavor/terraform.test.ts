import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { renderTerraform } from './terraform'

const FLAVOR = {
  name: 'vgpu.a40-4q',
  description: null,
  vcpus: 4,
  memoryMib: 16_384,
  diskGib: 40,
  isPublic: false,
  extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_NVIDIA_A40_4Q': 'required' },
  projectIds: ['0a1b'],
}

test('a private flavor comes with its access and its aggregate', () => {
  expect(
    renderTerraform(FLAVOR, { name: 'gpu', hosts: ['cmp1', 'cmp2'], properties: { gpu: 'true' } }),
  ).toBe(`resource "openstack_compute_aggregate_v2" "gpu" {
  name  = "gpu"
  hosts = ["cmp1", "cmp2"]
  metadata = {
    "gpu" = "true"
  }
}

resource "openstack_compute_flavor_v2" "vgpu_a40_4q" {
  name      = "vgpu.a40-4q"
  vcpus     = 4
  ram       = 16384
  disk      = 40
  is_public = false
  extra_specs = {
    "resources:VGPU"             = "1"
    "trait:CUSTOM_NVIDIA_A40_4Q" = "required"
  }
}

resource "openstack_compute_flavor_access_v2" "vgpu_a40_4q_0a1b" {
  flavor_id = openstack_compute_flavor_v2.vgpu_a40_4q.id
  tenant_id = "0a1b"
}
`)
})

test('nothing in a text begins a template or ends the text', () => {
  const text = renderTerraform({ ...FLAVOR, projectIds: [], description: `a "b" \${c} %{d}\n\\` }, null)
  expect(text).toContain(`description = "a \\"b\\" $\${c} %%{d}\\n\\\\"`)
  expect(text).not.toContain('flavor_access')
})

test('a name that begins with a digit gives a valid label', () => {
  expect(renderTerraform({ ...FLAVOR, name: '4q (gross)', projectIds: [] }, null)).toContain(
    'resource "openstack_compute_flavor_v2" "flavor_4q_gross" {',
  )
})

const PROGRAM = 'terraform'
const canFormat = spawnSync(PROGRAM, ['-help']).status === 0

test.skipIf(!canFormat)('terraform fmt takes it and leaves it as it is, where it is installed', () => {
  const text = renderTerraform(
    { ...FLAVOR, description: `a "b" \${c}` },
    { name: '4 gpus', hosts: ['cmp1'], properties: { gpu: 'true', group_policy: 'none' } },
  )
  const formatted = spawnSync(PROGRAM, ['fmt', '-'], { input: text, encoding: 'utf8' })
  expect(formatted.stdout).toBe(text)
})
