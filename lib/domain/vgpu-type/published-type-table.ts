/** Where numbers of the table were published, and the date of the publication or, of a page without one, of the reading. */
export const PUBLISHED_SOURCES = {
  'ai-enterprise-8': {
    source: 'docs.nvidia.com/ai-enterprise/release-8/latest/infra-software/vgpu/reference/blackwell.html',
    date: '2026-11-27',
  },
  'device-dumps': { source: 'github.com/harvester/pcidevices bdd8025, device dumps', date: '2026-11-26' },
  'device-manager': { source: 'github.com/NVIDIA/vgpu-device-manager acb7270, examples', date: '2026-08-20' },
  mdevctl: { source: 'github.com/mdevctl/mdevctl, output of mdevctl types', date: '2026-11-26' },
  'user-guide-8': {
    source: 'NVIDIA Virtual GPU Software User Guide, release 8.0, 1.4.1',
    date: '2026-11-26',
  },
  'vpc-sizing': { source: 'docs.nvidia.com/vgpu/sizing/virtual-pc/latest/gpu-vpc.html', date: '2026-11-27' },
} as const satisfies Record<string, { source: string; date: string }>

type PublishedRow = {
  /** What the names of the types begin with. */
  gpu: string
  /** Part of the card's name, where several cards have types of the same names. */
  model?: string
  /** GPU instances of one slice that the card holds, where several vGPUs share an instance. */
  slices?: number
  from: keyof typeof PUBLISHED_SOURCES
  types: string
}

/**
 * vGPU types that NVIDIA or others published, by card: `<rest of the name>:<maximum per physical GPU>`, with
 * `@<framebuffer MiB>` where that is not the gigabytes of the name. Equal-size mode. Rows with doubtful numbers are left out.
 */
export const PUBLISHED_ROWS: readonly PublishedRow[] = [
  { gpu: '6000D', from: 'device-manager', types: '1-42C:2 2-84C:1 1-42Q:2 2-84Q:1 84C:1 84Q:1' },
  {
    gpu: 'A10',
    from: 'device-manager',
    types: '4C:6 6C:4 8C:3 12C:2 24C:1 1Q:24 2Q:12 3Q:8 4Q:6 6Q:4 8Q:3 12Q:2 24Q:1',
  },
  {
    gpu: 'A100',
    from: 'device-manager',
    types: '1-5C:7 1-5CME:1 1-10C:4 2-10C:3 3-20C:2 4-20C:1 7-40C:1 4C:10 5C:8 8C:5 10C:4 20C:2 40C:1',
  },
  {
    gpu: 'A100D',
    from: 'device-manager',
    types:
      '1-10C:7 1-10CME:1 1-20C:4 2-20C:3 3-40C:2 4-40C:1 7-80C:1 4C:20 8C:10 10C:8 16C:5 20C:4 40C:2 80C:1',
  },
  {
    gpu: 'A100DX',
    from: 'device-manager',
    types:
      '1-10C:7 1-10CME:1 1-20C:4 2-20C:3 3-40C:2 4-40C:1 7-80C:1 4C:20 8C:10 10C:8 16C:5 20C:4 40C:2 80C:1',
  },
  {
    gpu: 'A100X',
    from: 'device-manager',
    types: '1-5C:7 1-5CME:1 1-10C:4 2-10C:3 3-20C:2 4-20C:1 7-40C:1 4C:10 5C:8 8C:5 10C:4 20C:2 40C:1',
  },
  { gpu: 'A16', from: 'device-manager', types: '4C:4 8C:2 16C:1 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1' },
  {
    gpu: 'A2',
    from: 'device-dumps',
    types: '1A:16 2A:8 4A:4 8A:2 16A:1 1B:16 2B:8 4C:4 8C:2 16C:1 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1',
  },
  {
    gpu: 'A30',
    from: 'device-manager',
    types: '1-6C:4 1-6CME:1 2-12C:2 2-12CME:1 4-24C:1 4C:6 6C:4 8C:3 12C:2 24C:1',
  },
  {
    gpu: 'A40',
    from: 'device-manager',
    types:
      '4C:12 6C:8 8C:6 12C:4 16C:3 24C:2 48C:1 1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  {
    gpu: 'A800',
    from: 'device-manager',
    types: '1-5C:7 1-5CME:1 1-10C:4 2-10C:3 3-20C:2 4-20C:1 7-40C:1 4C:10 5C:8 8C:5 10C:4 20C:2 40C:1',
  },
  {
    gpu: 'A800D',
    from: 'device-manager',
    types:
      '1-10C:7 1-10CME:1 1-20C:4 2-20C:3 3-40C:2 4-40C:1 7-80C:1 4C:20 8C:10 10C:8 16C:5 20C:4 40C:2 80C:1',
  },
  {
    gpu: 'A800DX',
    from: 'device-manager',
    types:
      '1-10C:7 1-10CME:1 1-20C:4 2-20C:3 3-40C:2 4-40C:1 7-80C:1 4C:20 8C:10 10C:8 16C:5 20C:4 40C:2 80C:1',
  },
  {
    gpu: 'B200X',
    from: 'device-manager',
    types: '1-23C:7 1-23CME:1 1-45C:4 2-45C:3 3-90C:2 4-90C:1 7-180C:1 180C:1',
  },
  {
    gpu: 'B300X',
    from: 'device-manager',
    types: '1-34C:7 1-34CME:1 1-67C:4 2-67C:3 3-135C:2 4-135C:1 7-269C:1 269C:1',
  },
  {
    gpu: 'DC',
    model: 'RTX PRO 6000 Blackwell',
    slices: 4,
    from: 'device-manager',
    types:
      '1-8C:12 1-12C:8 2-12C:8 2-16C:6 1-24C:4 2-24C:4 4-24C:4 4-32C:3 2-48C:2 4-48C:2 4-96C:1 1-3Q:32 1-4Q:24 1-6Q:16 1-8Q:12 1-12Q:8 2-12Q:8 2-16Q:6 2-24Q:4 4-24Q:4 4-32Q:3 2-48Q:2 4-48Q:2 4-96Q:1 8C:12 12C:8 16C:6 24C:4 32C:3 48C:2 96C:1 3Q:32 4Q:24 6Q:16 8Q:12 12Q:8 16Q:6 24Q:4 32Q:3 48Q:2 96Q:1',
  },
  {
    gpu: 'DC',
    model: 'RTX PRO 6000 Blackwell',
    slices: 4,
    from: 'device-dumps',
    types: '1-2Q:48 1-24Q:4 2B:32',
  },
  {
    gpu: 'DC',
    model: 'RTX PRO 4500 Blackwell',
    from: 'ai-enterprise-8',
    types: '8C:4 16C:2 32C:1',
  },
  { gpu: 'DC', model: 'RTX PRO 4500 Blackwell', from: 'vpc-sizing', types: '2B:16 3B:10' },
  {
    gpu: 'GB200',
    from: 'device-manager',
    types: '1-24C:7 1-24CME:1 1-47C:4 2-47C:3 3-95C:2 4-95C:1 7-189C:1 189C:1',
  },
  {
    gpu: 'GH200',
    from: 'device-manager',
    types: '1-12C:7 1-12CME:1 1-24C:4 2-24C:3 3-48C:2 4-48C:1 7-96C:1 96C:1',
  },
  {
    gpu: 'GH200L',
    from: 'device-manager',
    types: '1-18C:7 1-18CME:1 1-36C:4 2-36C:3 3-72C:2 4-72C:1 7-144C:1 144C:1',
  },
  {
    gpu: 'H100',
    from: 'device-manager',
    types:
      '1-10C:7 1-10CME:1 1-20C:4 2-20C:3 3-40C:2 4-40C:1 7-80C:1 4C:20 5C:16 8C:10 10C:8 20C:4 40C:2 80C:1',
  },
  {
    gpu: 'H100L',
    from: 'device-manager',
    types:
      '1-12C:7 1-12CME:1 1-24C:4@24672 2-24C:3@24672 3-47C:2 4-47C:1 7-94C:1@96246 4C:23 6C:15 11C:8 15C:6 23C:4 47C:2 94C:1@96246',
  },
  {
    gpu: 'H100XL',
    from: 'device-manager',
    types:
      '1-12C:7 1-12CME:1 1-24C:4@24672 2-24C:3@24672 3-47C:2 4-47C:1 7-94C:1@96246 4C:23 6C:15 11C:8 15C:6 23C:4 47C:2 94C:1@96246',
  },
  {
    gpu: 'H100XM',
    from: 'device-manager',
    types:
      '1-10C:7 1-10CME:1 1-20C:4 2-20C:3 3-40C:2 4-40C:1 7-80C:1 4C:20 5C:16 8C:10 10C:8 20C:4 40C:2 80C:1',
  },
  {
    gpu: 'H100XS',
    from: 'device-manager',
    types: '1-8C:7 1-8CME:1 1-16C:4 2-16C:3 3-32C:2 4-32C:1 7-64C:1 4C:16 8C:8 16C:4 32C:2 64C:1',
  },
  {
    gpu: 'H20',
    from: 'device-manager',
    types:
      '1-12C:7 1-12CME:1 1-24C:4 2-24C:3 3-48C:2 4-48C:1 7-96C:1 4C:24 6C:16 8C:12 12C:8 16C:6 24C:4 32C:3 48C:2 96C:1',
  },
  {
    gpu: 'H200',
    from: 'device-manager',
    types:
      '1-18C:7 1-18CME:1 1-35C:4 2-35C:3 3-71C:2 4-71C:1 7-141C:1 4C:32 7C:20 8C:16 14C:10 17C:8 28C:5 35C:4 70C:2 141C:1',
  },
  {
    gpu: 'H200X',
    from: 'device-manager',
    types:
      '1-18C:7 1-18CME:1 1-35C:4 2-35C:3 3-71C:2 4-71C:1 7-141C:1 4C:32 7C:20 8C:16 14C:10 17C:8 28C:5 35C:4 70C:2 141C:1',
  },
  {
    gpu: 'H20X',
    from: 'device-manager',
    types:
      '1-18C:7 1-18CME:1 1-35C:4 2-35C:3 3-71C:2 4-71C:1 7-141C:1 4C:32 7C:20 8C:16 14C:10 17C:8 28C:5 35C:4 70C:2 141C:1',
  },
  {
    gpu: 'H800',
    from: 'device-manager',
    types:
      '1-10C:7 1-10CME:1 1-20C:4 2-20C:3 3-40C:2 4-40C:1 7-80C:1 4C:20 5C:16 8C:10 10C:8 16C:5 20C:4 40C:2 80C:1',
  },
  {
    gpu: 'H800L',
    from: 'device-manager',
    types:
      '1-12C:7 1-12CME:1 1-24C:4@24672 2-24C:3@24672 3-47C:2 4-47C:1 7-94C:1@96246 4C:23 6C:15 11C:8 15C:6 23C:4 47C:2 94C:1@96246',
  },
  {
    gpu: 'H800XM',
    from: 'device-manager',
    types:
      '1-10C:7 1-10CME:1 1-20C:4 2-20C:3 3-40C:2 4-40C:1 7-80C:1 4C:20 5C:16 8C:10 10C:8 16C:5 20C:4 40C:2 80C:1',
  },
  {
    gpu: 'L2',
    from: 'device-manager',
    types: '4C:6 6C:4 8C:3 12C:2 24C:1 1Q:24 2Q:12 3Q:8 4Q:6 6Q:4 8Q:3 12Q:2 24Q:1',
  },
  {
    gpu: 'L20',
    from: 'device-manager',
    types:
      '4C:12 6C:8 8C:6 12C:4 16C:3 24C:2 48C:1 1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  {
    gpu: 'L4',
    from: 'device-manager',
    types: '4C:6 6C:4 8C:3 12C:2 24C:1 1Q:24 2Q:12 3Q:8 4Q:6 6Q:4 8Q:3 12Q:2 24Q:1',
  },
  {
    gpu: 'L40',
    from: 'device-manager',
    types:
      '4C:12 6C:8 8C:6 12C:4 16C:3 24C:2 48C:1 1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  { gpu: 'L40S', from: 'device-dumps', types: '1B:32' },
  {
    gpu: 'L40S',
    from: 'device-manager',
    types:
      '4C:12 6C:8 8C:6 12C:4 16C:3 24C:2 48C:1 1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  {
    gpu: 'M10',
    from: 'user-guide-8',
    types: '1A:8 2A:4 4A:2 8A:1 0B:16 1B:8 1B4:8 2B:4 2B4:4 0Q:16 1Q:8 2Q:4 4Q:2 8Q:1',
  },
  {
    gpu: 'M6',
    from: 'user-guide-8',
    types: '1A:8 2A:4 4A:2 8A:1 0B:16 1B:8 1B4:8 2B:4 2B4:4 0Q:16 1Q:8 2Q:4 4Q:2 8Q:1',
  },
  {
    gpu: 'M60',
    from: 'user-guide-8',
    types: '1A:8 2A:4 4A:2 8A:1 0B:16 1B:8 1B4:8 2B:4 2B4:4 0Q:16 1Q:8 2Q:4 4Q:2 8Q:1',
  },
  {
    gpu: 'P100',
    from: 'user-guide-8',
    types: '1A:16 2A:8 4A:4 8A:2 16A:1 1B:16 1B4:16 2B:8 2B4:8 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1',
  },
  { gpu: 'P100', from: 'mdevctl', types: '4C:4 8C:2 16C:1' },
  {
    gpu: 'P100C',
    from: 'user-guide-8',
    types: '1A:12 2A:6 4A:3 6A:2 12A:1 1B:12 1B4:12 2B:6 2B4:6 1Q:12 2Q:6 4Q:3 6Q:2 12Q:1',
  },
  {
    gpu: 'P100X',
    from: 'user-guide-8',
    types: '1A:16 2A:8 4A:4 8A:2 16A:1 1B:16 1B4:16 2B:8 2B4:8 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1',
  },
  { gpu: 'P4', from: 'user-guide-8', types: '1A:8 2A:4 4A:2 8A:1 1B:8 1B4:8 2B:4 2B4:4 1Q:8 2Q:4 4Q:2 8Q:1' },
  {
    gpu: 'P40',
    from: 'user-guide-8',
    types:
      '1A:24 2A:12 3A:8 4A:6 6A:4 8A:3 12A:2 24A:1 1B:24 1B4:24 2B:12 2B4:12 1Q:24 2Q:12 3Q:8 4Q:6 6Q:4 8Q:3 12Q:2 24Q:1',
  },
  {
    gpu: 'P6',
    from: 'user-guide-8',
    types: '1A:16 2A:8 4A:4 8A:2 16A:1 1B:16 1B4:16 2B:8 2B4:8 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1',
  },
  {
    gpu: 'RTX5000-Ada',
    from: 'device-manager',
    types: '4C:8 8C:4 16C:2 32C:1 1Q:32 2Q:16 4Q:8 8Q:4 16Q:2 32Q:1',
  },
  {
    gpu: 'RTX5880-Ada',
    from: 'device-manager',
    types:
      '4C:12 6C:8 8C:6 12C:4 16C:3 24C:2 48C:1 1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  { gpu: 'RTX6000', from: 'user-guide-8', types: '1Q:24 2Q:12 3Q:8 4Q:6 6Q:4 8Q:3 12Q:2 24Q:1' },
  {
    gpu: 'RTX6000-Ada',
    from: 'device-manager',
    types:
      '4C:12 6C:8 8C:6 12C:4 16C:3 24C:2 48C:1 1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  {
    gpu: 'RTX6000P',
    from: 'device-manager',
    types: '4C:6 6C:4 8C:3 12C:2 24C:1 1Q:24 2Q:12 3Q:8 4Q:6 6Q:4 8Q:3 12Q:2 24Q:1',
  },
  {
    gpu: 'RTX8000',
    from: 'user-guide-8',
    types: '1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  {
    gpu: 'RTX8000P',
    from: 'device-manager',
    types: '4C:8 6C:8 8C:6 12C:4 16C:3 24C:2 48C:1 1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  {
    gpu: 'RTXA5000',
    from: 'device-manager',
    types: '4C:6 6C:4 8C:3 12C:2 24C:1 1Q:24 2Q:12 3Q:8 4Q:6 6Q:4 8Q:3 12Q:2 24Q:1',
  },
  {
    gpu: 'RTXA5500',
    from: 'device-manager',
    types: '4C:6 6C:4 8C:3 12C:2 24C:1 1Q:24 2Q:12 3Q:8 4Q:6 6Q:4 8Q:3 12Q:2 24Q:1',
  },
  {
    gpu: 'RTXA6000',
    from: 'device-manager',
    types:
      '4C:12 6C:8 8C:6 12C:4 16C:3 24C:2 48C:1 1Q:32 2Q:24 3Q:16 4Q:12 6Q:8 8Q:6 12Q:4 16Q:3 24Q:2 48Q:1',
  },
  { gpu: 'T4', from: 'user-guide-8', types: '1A:16 2A:8 4A:4 8A:2 16A:1 1B:16 1B4:16 2B:8 2B4:8' },
  { gpu: 'T4', from: 'device-manager', types: '4C:4 8C:2 16C:1 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1' },
  { gpu: 'V100', from: 'user-guide-8', types: '1A:16 2A:8 4A:4 8A:2 16A:1 1B:16 1B4:16 2B:8 2B4:8' },
  { gpu: 'V100', from: 'device-manager', types: '4C:4 8C:2 16C:1 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1' },
  {
    gpu: 'V100D',
    from: 'user-guide-8',
    types: '1A:32 2A:16 4A:8 8A:4 16A:2 32A:1 1B:32 1B4:32 2B:16 2B4:16',
  },
  { gpu: 'V100D', from: 'device-manager', types: '4C:8 8C:4 16C:2 32C:1 1Q:32 2Q:16 4Q:8 8Q:4 16Q:2 32Q:1' },
  {
    gpu: 'V100DX',
    from: 'user-guide-8',
    types: '1A:32 2A:16 4A:8 8A:4 16A:2 32A:1 1B:32 1B4:32 2B:16 2B4:16',
  },
  { gpu: 'V100DX', from: 'device-manager', types: '4C:8 8C:4 16C:2 32C:1 1Q:32 2Q:16 4Q:8 8Q:4 16Q:2 32Q:1' },
  { gpu: 'V100L', from: 'user-guide-8', types: '1A:16 2A:8 4A:4 8A:2 16A:1 1B:16 1B4:16 2B:8 2B4:8' },
  { gpu: 'V100L', from: 'device-manager', types: '4C:4 8C:2 16C:1 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1' },
  { gpu: 'V100S', from: 'device-manager', types: '4C:8 8C:4 16C:2 32C:1 1Q:32 2Q:16 4Q:8 8Q:4 16Q:2 32Q:1' },
  { gpu: 'V100X', from: 'user-guide-8', types: '1A:16 2A:8 4A:4 8A:2 16A:1 1B:16 1B4:16 2B:8 2B4:8' },
  { gpu: 'V100X', from: 'device-manager', types: '4C:4 8C:2 16C:1 1Q:16 2Q:8 4Q:4 8Q:2 16Q:1' },
]
