import { expect, test } from 'vitest'
import { parseVgpuTypes } from './smi-vgpu-types'

/** As driver 580 prints it for an RTX PRO 6000 Blackwell. */
const TEXT = `GPU 00000000:8C:00.0
    vGPU Type ID                          : 0x60f
        Name                              : NVIDIA RTX Pro 6000 Blackwell DC-1-3Q
        Class                             : Quadro
        GPU Instance Profile ID           : 47
        Max Instances                     : 32
        Max Instances Per VM              : 1
        Max Instances Per GI              : 8
        FB Memory                         : 3072 MiB
    vGPU Type ID                          : 0x5ee
        Name                              : NVIDIA RTX Pro 6000 Blackwell DC-2B
        Class                             : NVS
        GPU Instance Profile ID           : N/A
        Max Instances                     : 32
        Max Instances Per VM              : 1
        Max Instances Per GI              : N/A
        FB Memory                         : 2048 MiB
GPU 00000000:C8:00.0
    vGPU Type ID                          : none
`

test('reads the supported types of each GPU by id', () => {
  expect([...parseVgpuTypes(TEXT)]).toEqual([
    [
      '0000:8c:00.0',
      [
        {
          id: 1518,
          name: 'NVIDIA RTX Pro 6000 Blackwell DC-2B',
          framebufferMib: 2048,
          maxInstances: 32,
          maxPerInstance: null,
          profileId: null,
        },
        {
          id: 1551,
          name: 'NVIDIA RTX Pro 6000 Blackwell DC-1-3Q',
          framebufferMib: 3072,
          maxInstances: 32,
          maxPerInstance: 8,
          profileId: 47,
        },
      ],
    ],
    ['0000:c8:00.0', []],
  ])
})

test('reads an older driver, which does not report GPU instances, and nothing from another text', () => {
  const older = `GPU 00000000:18:00.0
    vGPU Type ID                : 0xe6
        Name                    : GRID T4-1Q
        Max Instances           : 16
        FB Memory               : 1024 MiB
`
  expect(parseVgpuTypes(older).get('0000:18:00.0')).toMatchObject([
    { id: 230, maxInstances: 16, maxPerInstance: null, profileId: null },
  ])
  expect([...parseVgpuTypes('No supported devices in vGPU mode')]).toEqual([])
})
