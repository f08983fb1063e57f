import { describe, expect, test } from 'vitest'
import { installProgram, printText } from '@/agent/testing/fake-program'
import { codesOf, type TreeContents, treeWith } from '@/agent/testing/tree'
import { t4SeedHost } from '@/simulator/fixtures/t4-seed-host'
import { renderCommands } from '@/simulator/host-tree/render-commands'
import type { Tree } from '@/simulator/host-tree/tree'
import { createCommands } from './commands'
import { createHostFiles } from './host-files'
import { collectNvidiaSmi, PAUSE_FILE } from './nvidia-smi'
import { createProblemLog } from './problem-log'

const collect = async (contents: TreeContents) => {
  const { files, problems } = treeWith(contents)
  const commands = createCommands({ files, problems, memory: new Map() })
  return { smi: await collectNvidiaSmi({ files, problems, commands }), problems }
}

const at = (name: string): string => `/.sliceboard/commands/${name}.txt`

/** As printed in the article about the T4 host, some GPUs left out. */
const SEED_TABLE = `root@ip-172-31-12-209:~# nvidia-smi vgpu
Thu Sep 16 16:46:30 2021
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 470.63                 Driver Version: 470.63                    |
|---------------------------------+------------------------------+------------+
| GPU  Name                       | Bus-Id                       | GPU-Util   |
|      vGPU ID     Name           | VM ID     VM Name            | vGPU-Util  |
|=================================+==============================+============|
|   0  Tesla T4                   | 00000000:18:00.0             |   0%       |
+---------------------------------+------------------------------+------------+
|   5  Tesla T4                   | 00000000:E8:00.0             |   0%       |
+---------------------------------+------------------------------+------------+
|   6  Tesla T4                   | 00000000:F4:00.0             |   0%       |
|      3251634254  GRID T4-16C    | dcae...  instance-00000004   |   0%    |
+---------------------------------+------------------------------+------------+
|   7  Tesla T4                   | 00000000:F5:00.0             |   0%       |
+---------------------------------+------------------------------+------------+
`

const QUERY = `
==============NVSMI LOG==============

Timestamp                                 : Tue May  7 10:00:00 2024
Driver Version                            : 550.54.10
CUDA Version                              : 12.4

Attached GPUs                             : 2
GPU 00000000:C1:00.0
    Product Name                          : NVIDIA A40
    Product Brand                         : NVIDIA
    MIG Mode
        Current                           : N/A
        Pending                           : N/A
    GPU UUID                              : GPU-1f6c1d9e-77aa-4b1c-8a3e-2f0d4f53dcae
    GPU Virtualization Mode
        Virtualization Mode               : Host VGPU
        Host VGPU Mode                    : SR-IOV
        vGPU Heterogeneous Mode           : Enabled
    FB Memory Usage
        Total                             : 46068 MiB
        Reserved                          : 665 MiB
    BAR1 Memory Usage
        Total                             : 65536 MiB
    Processes                             : None

GPU 00000000:41:00.0
    Product Name                          : NVIDIA A100-PCIE-40GB
    MIG Mode
        Current                           : Enabled
        Pending                           : Enabled
    MIG Device
        Index                             : 0
        FB Memory Usage
            Total                         : 4864 MiB
    GPU UUID                              : GPU-2a
    GPU Virtualization Mode
        vGPU Heterogeneous Mode           : N/A
    FB Memory Usage
        Total                             : 40960 MiB
`

const VGPU_QUERY = `
==============NVSMI LOG==============

Timestamp                                 : Tue May  7 10:00:00 2024
Driver Version                            : 550.54.10
CUDA Version                              : Not Found
Attached GPUs                             : 2
GPU 00000000:C1:00.0
    Active vGPUs                          : 2
    vGPU ID                               : 3251634213
        VM UUID                           : DCAE1F0A-2f0d-4f53-8a3e-4b1c6c1d9e77
        VM Name                           : instance-00000004
        vGPU Name                         : NVIDIA A40-4Q
        vGPU Type                         : 560
        vGPU UUID                         : 1b54-unused
        MDEV UUID                         : 4b20d080-1b54-4048-85b3-a6a62d165c01
        Guest Driver Version              : 550.54.15
        License Status                    : Licensed (Expiry: 2026-12-31 23:59:59 GMT)
        GPU Instance ID                   : N/A
        FB Memory Usage
            Total                         : 4096 MiB
    vGPU ID                               : 3251634200
        VM UUID                           : 5294f726-33d5-472a-bef1-9e19bb41626d
        VM Name                           : instance-00000005
        vGPU Name                         : NVIDIA A40-8Q
        vGPU Type                         : 561
        MDEV UUID                         : N/A
        Guest Driver Version              : N/A
        License Status                    : N/A (Expiry: N/A)

GPU 00000000:41:00.0
    Active vGPUs                          : 0
`

test('the two -q forms: canonical addresses, stable facts, vGPUs in order', async () => {
  const { smi, problems } = await collect({
    [at('nvidia-smi-q')]: QUERY,
    [at('nvidia-smi-vgpu-q')]: VGPU_QUERY,
  })
  expect(smi).toEqual({
    driverVersion: '550.54.10',
    gpus: [
      {
        address: '0000:41:00.0',
        name: 'NVIDIA A100-PCIE-40GB',
        uuid: 'GPU-2a',
        framebufferMib: 40_960,
        migMode: 'enabled',
        gpuInstances: null,
        heterogeneousMode: null,
        vgpus: [],
      },
      {
        address: '0000:c1:00.0',
        name: 'NVIDIA A40',
        uuid: 'GPU-1f6c1d9e-77aa-4b1c-8a3e-2f0d4f53dcae',
        framebufferMib: 46_068,
        migMode: null,
        gpuInstances: null,
        heterogeneousMode: 'enabled',
        vgpus: [
          {
            vgpuId: '3251634200',
            guestUuid: '5294f726-33d5-472a-bef1-9e19bb41626d',
            guestName: 'instance-00000005',
            typeName: 'NVIDIA A40-8Q',
            mdevUuid: null,
            licenseStatus: null,
            guestDriverVersion: null,
          },
          {
            vgpuId: '3251634213',
            guestUuid: 'dcae1f0a-2f0d-4f53-8a3e-4b1c6c1d9e77',
            guestName: 'instance-00000004',
            typeName: 'NVIDIA A40-4Q',
            mdevUuid: '4b20d080-1b54-4048-85b3-a6a62d165c01',
            licenseStatus: 'Licensed',
            guestDriverVersion: '550.54.15',
          },
        ],
      },
    ],
  })
  expect(problems.list()).toEqual([])
})

test('a renewed license and another time of day change nothing', async () => {
  const texts = [QUERY, VGPU_QUERY]
  const later = texts.map((text) => text.replaceAll('2024', '2025').replaceAll('2026-12-31', '2027-01-31'))
  const [before, after] = await Promise.all(
    [texts, later].map(([q = '', v = '']) =>
      collect({ [at('nvidia-smi-q')]: q, [at('nvidia-smi-vgpu-q')]: v }),
    ),
  )
  expect(after?.smi).toEqual(before?.smi)
})

describe('the table of the article', () => {
  const seedVgpu = {
    vgpuId: '3251634254',
    guestUuid: null,
    guestName: 'instance-00000004',
    typeName: 'GRID T4-16C',
    mdevUuid: null,
    licenseStatus: null,
  }

  test('upper-case addresses with 8 digits become those of sysfs', async () => {
    const { smi } = await collect({ [at('nvidia-smi-vgpu')]: SEED_TABLE })
    expect(smi?.driverVersion).toBe('470.63')
    expect(smi?.gpus.map(({ address, name, vgpus }) => [address, name, vgpus])).toEqual([
      ['0000:18:00.0', 'Tesla T4', []],
      ['0000:e8:00.0', 'Tesla T4', []],
      ['0000:f4:00.0', 'Tesla T4', [seedVgpu]],
      ['0000:f5:00.0', 'Tesla T4', []],
    ])
  })

  test('gives the vGPUs to the GPUs of -q', async () => {
    const tree: Tree = new Map()
    renderCommands(tree, t4SeedHost)
    const entry = tree.get(at('nvidia-smi-q'))
    const query = entry?.kind === 'file' ? entry.content : ''
    const { smi } = await collect({ [at('nvidia-smi-q')]: query, [at('nvidia-smi-vgpu')]: SEED_TABLE })
    expect(smi?.gpus).toHaveLength(8)
    expect(smi?.gpus[6]).toMatchObject({ address: '0000:f4:00.0', framebufferMib: 15_360, vgpus: [seedVgpu] })
  })
})

describe('no nvidia-smi', () => {
  test('without a capture it is null and no problem', async () => {
    const { smi, problems } = await collect({ '/etc/hostname': 'x' })
    expect([smi, problems.list()]).toEqual([null, []])
  })

  test('paused by a file, with a problem', async () => {
    const { smi, problems } = await collect({ [PAUSE_FILE]: '', [at('nvidia-smi-q')]: QUERY })
    expect(smi).toBeNull()
    expect(problems.list()).toEqual([
      {
        source: 'nvidia-smi',
        code: 'incomplete',
        message:
          'nvidia-smi was not run because /run/sliceboard/pause-nvidia-smi exists; remove it when sriov-manage is done.',
      },
    ])
  })

  test('words instead of a log are a failure', async () => {
    const words =
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\nMake sure…\n"
    const { smi, problems } = await collect({
      [at('nvidia-smi-q')]: words,
      [at('nvidia-smi-vgpu-q')]: VGPU_QUERY,
    })
    expect(smi?.gpus.map(({ address }) => address)).toEqual(['0000:41:00.0', '0000:c1:00.0'])
    expect(problems.list().map(({ message }) => message)).toEqual([
      `"nvidia-smi -q" printed no log but "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver".`,
    ])
    const both = await collect({ [at('nvidia-smi-q')]: words, [at('nvidia-smi-vgpu-q')]: 'x' })
    expect(both.smi).toBeNull()
    expect(codesOf(both.problems)).toHaveLength(2)
  })
})

/** As printed on an A100 with four instances, second of two GPUs in the order of `nvidia-smi -q`. */
const INSTANCES = `+-------------------------------------------------------+
| GPU instances:                                        |
| GPU   Name             Profile  Instance   Placement  |
|                          ID       ID       Start:Size |
|=======================================================|
|   1  MIG 1g.5gb          19       11          0:1     |
+-------------------------------------------------------+
|   1  MIG 1g.5gb+me       20        9          1:1     |
+-------------------------------------------------------+
|   1  MIG 3g.20gb          9        1          4:4     |
+-------------------------------------------------------+
`

describe('GPU instances', () => {
  const instancesIn = async (listed: string | null) => {
    const { smi, problems } = await collect({
      [at('nvidia-smi-q')]: QUERY,
      ...(listed === null ? {} : { [at('nvidia-smi-mig-lgi')]: listed }),
    })
    return { instances: smi?.gpus.map(({ address, gpuInstances }) => [address, gpuInstances]), problems }
  }

  test('belong to the GPU of their index, in the order of nvidia-smi and not of the addresses', async () => {
    const { instances, problems } = await instancesIn(INSTANCES)
    const listed = [
      { id: 1, profile: '3g.20gb', profileId: 9 },
      { id: 9, profile: '1g.5gb+me', profileId: 20 },
      { id: 11, profile: '1g.5gb', profileId: 19 },
    ]
    expect(instances).toEqual([
      ['0000:41:00.0', listed],
      ['0000:c1:00.0', null],
    ])
    expect(problems.list()).toEqual([])
  })

  test('none is an empty list; not requested and not understood are unknown', async () => {
    expect((await instancesIn('No GPU instances found: Not Found\n')).instances?.[0]).toEqual([
      '0000:41:00.0',
      [],
    ])
    expect((await instancesIn(null)).instances?.[0]).toEqual(['0000:41:00.0', null])
    const odd = await instancesIn('Failed to display GPU instances: Insufficient Permissions')
    expect(odd.instances?.[0]).toEqual(['0000:41:00.0', null])
    expect(codesOf(odd.problems)).toEqual([['nvidia-smi mig -lgi', 'command-failed']])
    const blank = await instancesIn('\n')
    expect(blank.instances?.[0]).toEqual(['0000:41:00.0', null])
    expect(codesOf(blank.problems)).toEqual([['nvidia-smi mig -lgi', 'command-failed']])
  })

  /** On a host with NVIDIA's driver, which a fake nvidia-smi replaces. */
  const instancesOfHost = async (migLgi: string) => {
    installProgram(
      'nvidia-smi',
      `case "$*" in -q) ${printText(QUERY)}\n;; "mig -lgi") ${migLgi};; *) echo "No supported devices in vGPU mode"; exit 6;; esac`,
    )
    const problems = createProblemLog()
    const files = {
      ...createHostFiles({ root: '/', problems }),
      exists: (path: string) => path === '/proc/driver/nvidia/version',
    }
    const commands = createCommands({ files, problems, memory: new Map() })
    const smi = await collectNvidiaSmi({ files, problems, commands })
    return {
      instances: smi?.gpus.find(({ migMode }) => migMode === 'enabled')?.gpuInstances,
      problems: problems.list().map(({ message }) => message),
    }
  }

  test('are unknown where the command fails', async () => {
    expect(await instancesOfHost('echo "Insufficient Permissions" >&2; exit 9')).toEqual({
      instances: null,
      problems: ['"nvidia-smi mig -lgi" ended with 9: Insufficient Permissions.'],
    })
  })

  test('are unknown where a failed command lists those of another GPU', async () => {
    const table = INSTANCES.replaceAll('|   1  MIG', '|   0  MIG')
    expect(await instancesOfHost(`${printText(table)}\nexit 255`)).toMatchObject({
      instances: null,
      problems: [expect.stringContaining('ended with 255')],
    })
  })

  test.each(['', ' >&2'])('are none where the command reports that with status 6%s', async (stream) => {
    expect(await instancesOfHost(`echo "No GPU instances found: Not Found"${stream}; exit 6`)).toEqual({
      instances: [],
      problems: [],
    })
  })

  test('are unknown where a GPU is missing from the log, which has no index then', async () => {
    const captured = { [at('nvidia-smi-q')]: QUERY, [at('nvidia-smi-mig-lgi')]: INSTANCES }
    const information = '/proc/driver/nvidia/gpus/0000:01:00.0/information'
    const lost = await collect({ ...captured, [information]: 'Model: \t\t NVIDIA A40\n' })
    expect(lost.smi?.gpus.map(({ gpuInstances }) => gpuInstances)).toEqual([null, null])
    const excluded = await collect({ ...captured, [information]: 'GPU Excluded:\t Yes\n' })
    expect(excluded.smi?.gpus[0]?.gpuInstances).toHaveLength(3)
    const cut = await collect({
      ...captured,
      [at('nvidia-smi-q')]: QUERY.replace(/(Attached GPUs +: )2/, (_all, label) => `${label}3`),
    })
    expect(cut.smi?.gpus.map(({ gpuInstances }) => gpuInstances)).toEqual([null, null])
  })
})

test('supported types go to their GPU; without their output nothing is reported', async () => {
  const types = `GPU 00000000:C1:00.0
    vGPU Type ID                          : 0x230
        Name                              : NVIDIA A40-4Q
        Max Instances                     : 12
        FB Memory                         : 4096 MiB
`
  const query = { [at('nvidia-smi-q')]: QUERY }
  const { smi } = await collect({ ...query, [at('nvidia-smi-vgpu-s-v')]: types })
  expect(
    smi?.gpus.map(({ vgpuTypes }) => vgpuTypes?.map(({ id, maxInstances }) => [id, maxInstances])),
  ).toEqual([undefined, [[560, 12]]])
  expect((await collect(query)).smi?.gpus.map(({ vgpuTypes }) => vgpuTypes)).toEqual([undefined, undefined])
})
