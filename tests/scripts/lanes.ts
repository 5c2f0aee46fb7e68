import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { laneCount } from '../../scripts/lanes.ts'

const GIB = 1024 ** 3

const lanes = suite('lanes of the test runner')

lanes('two files at a time run for each processor, since files mostly wait, and eight at most', () => {
  assert.is(laneCount({ memoryBytes: 64 * GIB, processors: 1 }), 2)
  assert.is(laneCount({ memoryBytes: 64 * GIB, processors: 2 }), 4)
  assert.is(laneCount({ memoryBytes: 64 * GIB, processors: 16 }), 8)
})

lanes('each file has a gigabyte of memory, and two run even where there is less', () => {
  assert.is(laneCount({ memoryBytes: 3.9 * GIB, processors: 2 }), 3)
  assert.is(laneCount({ memoryBytes: GIB, processors: 2 }), 2)
})

lanes.run()
