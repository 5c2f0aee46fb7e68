import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileNameOf } from '#web/runs/shared/save-file.ts'

const names = suite('names of saved files')

for (const [url, name] of [
  ['https://shop.example/a/b?c=d', 'shop.example_a_b_c_d'],
  ['https://ja.example/%E6%97%A5%E6%9C%AC%E8%AA%9E/', 'ja.example_日本語'],
  ['https://th.example/%E0%B8%97%E0%B8%B5%E0%B9%88', 'th.example_ที่'],
  ['https://a.example/..%2F..%2Fetc', 'a.example_.._.._etc'],
  ['https://a.example/caf%E9', 'a.example_caf_E9'],
  [`https://a.example/${'a'.repeat(69)}𠮷`, `a.example_${'a'.repeat(69)}`],
  ['://', 'file'],
] as const)
  names(`the page ${url} is saved as ${name}`, () => assert.is(fileNameOf(url), name))

names.run()
