;; Dot products of int8 rows with an int16 query, 16 dimensions a step. `dot-module.ts` says what the parameters are.
;; dot.wasm is this file assembled; its test assembles it again.
(module
  (import "env" "memory" (memory 1))
  (func (export "dots")
    (param $rows i32) (param $list i32) (param $count i32) (param $dims i32) (param $query i32) (param $out i32)
    (local $row i32) (local $end i32) (local $at i32)
    (local $even v128) (local $odd v128)
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $row
          (i32.add (local.get $rows) (i32.mul (i32.load (local.get $list)) (local.get $dims))))
        (local.set $end (i32.add (local.get $row) (local.get $dims)))
        (local.set $at (local.get $query))
        (local.set $even (v128.const i64x2 0 0))
        (local.set $odd (v128.const i64x2 0 0))
        (loop $next_step
          (local.set $even
            (i32x4.add
              (local.get $even)
              (i32x4.dot_i16x8_s
                (v128.load8x8_s align=1 (local.get $row))
                (v128.load align=1 (local.get $at)))))
          (local.set $odd
            (i32x4.add
              (local.get $odd)
              (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=8 align=1 (local.get $row))
                (v128.load offset=16 align=1 (local.get $at)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $next_step (i32.lt_u (local.get $row) (local.get $end))))
        (local.set $even (i32x4.add (local.get $even) (local.get $odd)))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even)))
            (i32.add (i32x4.extract_lane 2 (local.get $even)) (i32x4.extract_lane 3 (local.get $even)))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next_row)))))
