import { expect, test } from 'vitest'
import { pciClass, pciClassText, pciTraits } from './pci-names'

// nova/compute/pci_placement_translator.py _normalize_resource_class with os_resource_classes 1.1, run with these texts.
test.each([
  ['PGPU', 'PGPU'],
  ['pgpu', 'PGPU'],
  ['VGPU', 'VGPU'],
  ['FPGA', 'FPGA'],
  ['gpu', 'CUSTOM_GPU'],
  ['custom_gpu', 'CUSTOM_GPU'],
  ['A100 - 40GB', 'CUSTOM_A100_40GB'],
  ['a100--40gb', 'CUSTOM_A100_40GB'],
  ['a100__40gb', 'CUSTOM_A100_40GB'],
  ['l40s-16q ', 'CUSTOM_L40S_16Q_'],
])('class %j is %s', (text, name) => {
  expect(pciClassText(text)).toBe(name)
})

test('an empty class counts as none', () => {
  expect(pciClass('', { vendorId: '10de', productId: '26b9' })).toBe('CUSTOM_PCI_10DE_26B9')
})

// nova/compute/pci_placement_translator.py get_traits: split by commas, not trimmed.
test.each([
  [undefined, []],
  ['', []],
  ['HW_GPU_API_VULKAN,fast', ['CUSTOM_FAST', 'HW_GPU_API_VULKAN']],
  ['CUSTOM_A, b', ['CUSTOM_A', 'CUSTOM__B']],
  ['hw_gpu_api_vulkan', ['CUSTOM_HW_GPU_API_VULKAN']],
  ['a,A', ['CUSTOM_A']],
  ['\u00dfx', ['CUSTOM_SSX']],
])('traits %j', (text, traits) => {
  expect(pciTraits(text)).toEqual(traits)
})
