-- What does the next generation of controllers bring, with everything else alike?
-- asked by: a buyer
select
    comparison_label as comparison,
    round(ratio, 2) as times,
    values_label as fastest_of_each,
from rpt_generations
where is_faster
order by ratio desc;
