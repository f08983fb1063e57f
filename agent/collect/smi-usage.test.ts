import { expect, test } from 'vitest'
import { parseUsage } from './smi-usage'

/** In the form of driver 470 to 550: two pGPUs, one of them in MIG mode. */
const GPUS = `
==============NVSMI LOG==============

Timestamp                                 : Tue May  7 10:00:00 2024
Driver Version                            : 550.54.10
Attached GPUs                             : 2
GPU 00000000:C1:00.0
    Product Name                          : NVIDIA A40
    FB Memory Usage
        Total                             : 46068 MiB
        Reserved                          : 665 MiB
        Used                              : 8192 MiB
        Free                              : 37211 MiB
    BAR1 Memory Usage
        Total                             : 65536 MiB
        Used                              : 1 MiB
    Utilization
        Gpu                               : 37 %
        Memory                            : 4 %
        Encoder                           : 0 %
        Decoder                           : 0 %
GPU 00000000:E1:00.0
    Product Name                          : NVIDIA A100
    FB Memory Usage
        Total                             : 40960 MiB
        Used                              : 20 MiB
    Utilization
        Gpu                               : N/A
        Memory                            : N/A
`

/** In the form of driver 570 and later, whose words are in capitals; the second has no guest driver and no MDEV UUID. */
const VGPUS = `GPU 00000000:C1:00.0
    Active vGPUs                          : 2
    vGPU ID                               : 3251637554
        VM UUID                           : 083BC63F-0a3c-4647-9bb4-27f905b7d7bb
        VM Name                           : instance-00000004
        MDEV UUID                         : 7c6c5a1e-0000-4647-9bb4-27f905b7d7bb
        FB Memory Usage
            Total                         : 3072 MiB
            Used                          : 128 MiB
            Free                          : 2944 MiB
        Utilization
            GPU                           : 12 %
            Memory                        : 1 %
            Encoder                       : 0 %
            Decoder                       : 0 %
    vGPU ID                               : 3251637566
        VM UUID                           : 
        VM Name                           : instance-00000005
        FB Memory Usage
            Total                         : 3072 MiB
            Used                          : 0 MiB
        Utilization
            GPU                           : N/A
            Memory                        : N/A
`

test('pGPUs and vGPUs have the values that nvidia-smi reports, and the others are unknown', () => {
  expect(parseUsage({ gpuText: GPUS, vgpuText: VGPUS })).toEqual([
    {
      address: '0000:c1:00.0',
      totalMib: 46_068,
      utilization: 37,
      usedMib: 8192,
      vgpus: [
        {
          vgpu: '7c6c5a1e-0000-4647-9bb4-27f905b7d7bb',
          guestUuid: '083bc63f-0a3c-4647-9bb4-27f905b7d7bb',
          totalMib: 3072,
          utilization: 12,
          usedMib: 128,
        },
        { vgpu: '3251637566', guestUuid: null, totalMib: 3072, utilization: null, usedMib: 0 },
      ],
    },
    { address: '0000:e1:00.0', totalMib: 40_960, utilization: null, usedMib: 20, vgpus: [] },
  ])
})

test('without nvidia-smi nothing is reported', () => {
  expect(parseUsage({ gpuText: null, vgpuText: null })).toEqual([])
  expect(parseUsage({ gpuText: 'No devices were found\n', vgpuText: null })).toEqual([])
})
