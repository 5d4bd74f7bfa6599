;; Scores rows of int8 codes against an int16 query, two rows at a time and 16 dimensions a step, and keeps those that
;; may reach a floor. `modules.ts` says what the parameters are. scan.wasm is this file assembled; its test assembles it
;; again.
(module
  (import "env" "memory" (memory 1))
  (func (export "scan")
    (param $rows i32) (param $dims i32) (param $list i32) (param $first i32) (param $count i32) (param $query i32)
    (param $scale f64) (param $error f64) (param $floor f64) (param $out i32) (param $bounds i32)
    (result i32)
    (local $number_a i32) (local $number_b i32) (local $a i32) (local $b i32)
    (local $end i32) (local $at i32) (local $start i32)
    (local $query_low v128) (local $query_high v128)
    (local $sum_a v128) (local $more_a v128) (local $sum_b v128) (local $more_b v128)
    (local $score f64) (local $bound f64) (local $touch i32) (local $ahead i32) (local $sink i32)
    (local.set $start (local.get $out))
    (block $done
      (loop $next_pair
        (br_if $done (i32.le_s (local.get $count) (i32.const 0)))
        (if (local.get $list)
          (then
            ;; Rows of a list are in memory anywhere: eight are fetched side by side.
            (if (i32.eqz (i32.and (local.get $count) (i32.const 6)))
              (then
                (local.set $touch (local.get $list))
                (local.set $ahead (i32.add (local.get $list) (i32.const 32)))
                (loop $next_row
                  (local.set $at
                    (i32.add
                      (local.get $rows)
                      (i32.mul (i32.load (local.get $touch)) (i32.add (local.get $dims) (i32.const 8)))))
                  (local.set $end (i32.add (local.get $at) (i32.add (local.get $dims) (i32.const 8))))
                  (loop $next_line
                    (local.set $sink (i32.or (local.get $sink) (i32.load (local.get $at))))
                    (local.set $at (i32.add (local.get $at) (i32.const 64)))
                    (br_if $next_line (i32.lt_u (local.get $at) (local.get $end))))
                  (local.set $touch (i32.add (local.get $touch) (i32.const 4)))
                  (br_if $next_row (i32.lt_u (local.get $touch) (local.get $ahead))))))
            (local.set $number_a (i32.load (local.get $list)))
            (local.set $number_b (i32.load offset=4 (local.get $list)))
            (local.set $list (i32.add (local.get $list) (i32.const 8))))
          (else
            (local.set $number_a (local.get $first))
            (local.set $number_b (i32.add (local.get $first) (i32.const 1)))
            (local.set $first (i32.add (local.get $first) (i32.const 2)))))
        (local.set $a
          (i32.add (local.get $rows) (i32.mul (local.get $number_a) (i32.add (local.get $dims) (i32.const 8)))))
        (local.set $b
          (i32.add (local.get $rows) (i32.mul (local.get $number_b) (i32.add (local.get $dims) (i32.const 8)))))
        (local.set $end (i32.add (local.get $a) (local.get $dims)))
        (local.set $at (local.get $query))
        (local.set $sum_a (v128.const i64x2 0 0))
        (local.set $more_a (v128.const i64x2 0 0))
        (local.set $sum_b (v128.const i64x2 0 0))
        (local.set $more_b (v128.const i64x2 0 0))
        (loop $next_step
          (local.set $query_low (v128.load align=1 (local.get $at)))
          (local.set $query_high (v128.load offset=16 align=1 (local.get $at)))
          (local.set $sum_a
            (i32x4.add
              (local.get $sum_a)
              (i32x4.dot_i16x8_s (v128.load8x8_s align=1 (local.get $a)) (local.get $query_low))))
          (local.set $more_a
            (i32x4.add
              (local.get $more_a)
              (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 align=1 (local.get $a)) (local.get $query_high))))
          (local.set $sum_b
            (i32x4.add
              (local.get $sum_b)
              (i32x4.dot_i16x8_s (v128.load8x8_s align=1 (local.get $b)) (local.get $query_low))))
          (local.set $more_b
            (i32x4.add
              (local.get $more_b)
              (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 align=1 (local.get $b)) (local.get $query_high))))
          (local.set $a (i32.add (local.get $a) (i32.const 16)))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $next_step (i32.lt_u (local.get $a) (local.get $end))))
        ;; Scale and error follow the codes. A row without a chunk has the scale NaN, and reaches no floor.
        (local.set $sum_a (i32x4.add (local.get $sum_a) (local.get $more_a)))
        (local.set $sum_a
          (i32x4.add
            (local.get $sum_a)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $sum_a) (local.get $sum_a))))
        (local.set $score
          (f64.mul
            (f64.mul
              (f64.convert_i32_s
                (i32.add (i32x4.extract_lane 0 (local.get $sum_a)) (i32x4.extract_lane 1 (local.get $sum_a))))
              (f64.promote_f32 (f32.load (local.get $a))))
            (local.get $scale)))
        (local.set $bound (f64.promote_f32 (f32.load offset=4 (local.get $a))))
        (local.set $bound
          (f64.add (local.get $bound) (f64.mul (local.get $error) (f64.add (f64.const 1) (local.get $bound)))))
        (if (f64.ge (f64.add (local.get $score) (local.get $bound)) (local.get $floor))
          (then
            (i32.store (local.get $out) (local.get $number_a))
            (f64.store (local.get $bounds) (f64.sub (local.get $score) (local.get $bound)))
            (f64.store offset=8 (local.get $bounds) (f64.add (local.get $score) (local.get $bound)))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (local.set $bounds (i32.add (local.get $bounds) (i32.const 16)))))
        (local.set $sum_b (i32x4.add (local.get $sum_b) (local.get $more_b)))
        (local.set $sum_b
          (i32x4.add
            (local.get $sum_b)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $sum_b) (local.get $sum_b))))
        (local.set $score
          (f64.mul
            (f64.mul
              (f64.convert_i32_s
                (i32.add (i32x4.extract_lane 0 (local.get $sum_b)) (i32x4.extract_lane 1 (local.get $sum_b))))
              (f64.promote_f32 (f32.load (local.get $b))))
            (local.get $scale)))
        (local.set $bound (f64.promote_f32 (f32.load offset=4 (local.get $b))))
        (local.set $bound
          (f64.add (local.get $bound) (f64.mul (local.get $error) (f64.add (f64.const 1) (local.get $bound)))))
        (if (i32.and
              (i32.gt_u (local.get $count) (i32.const 1))
              (f64.ge (f64.add (local.get $score) (local.get $bound)) (local.get $floor)))
          (then
            (i32.store (local.get $out) (local.get $number_b))
            (f64.store (local.get $bounds) (f64.sub (local.get $score) (local.get $bound)))
            (f64.store offset=8 (local.get $bounds) (f64.add (local.get $score) (local.get $bound)))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (local.set $bounds (i32.add (local.get $bounds) (i32.const 16)))))
        (local.set $count (i32.sub (local.get $count) (i32.const 2)))
        (br $next_pair)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2))))
